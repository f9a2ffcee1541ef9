"""The addresses that mails link: absolute URLs, because a mail has no base address."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode


def absolute_table_url(slug: str) -> str:
    return _url("table", slug)


def press_url(slug: str, secret: str) -> str:
    """The page on which whoever has the secret can move. No server sees the secret, because it is in the fragment."""
    return f"{_url('press', slug)}#{secret}"


def draft_url(slug: str, move: str) -> str:
    """The table with a move filled in, to be looked at and confirmed."""
    return f"{absolute_table_url(slug)}?{urlencode({'move': move})}"


def deal_url(slug: str) -> str:
    return _url("deal", slug)


def answer_reminder_url(slug: str, say: str) -> str:
    """Where a reminder's button leads: a page that asks, and does it by a POST."""
    return f"{_url('answer_reminder', slug)}?say={say}"


def turns_url() -> str:
    """All tables that wait for the reader on one page."""
    return _url("all_turns")


def new_table_url() -> str:
    return _url("new_table")


def again_url(slug: str) -> str:
    """The form of a new table for those who played that finished game."""
    return f"{new_table_url()}?again={slug}"


def keepsake_url(slug: str) -> str:
    return _url("keepsake", slug)


def seasons_url() -> str:
    return _url("seasons")


def season_url(slug: str) -> str:
    return _url("season", slug)


def invitation_url(token: str) -> str:
    return _url("invitation", token)


def preferences_url() -> str:
    return _url("mail_preferences")


def _url(name: str, *args: str) -> str:
    return settings.SITE_URL + reverse(name, args=args)
