"""The addresses that mails link: absolute URLs, because a mail has no base address."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.urls import reverse

_SLUG: Final = "-slug-of-a-table-"


def table_url(slug: str) -> str:
    return _url("table", settings.SITE_URL, _SLUG).replace(_SLUG, slug)


def deal_url(slug: str) -> str:
    return _url("deal", settings.SITE_URL, _SLUG).replace(_SLUG, slug)


def answer_url(slug: str, say: str) -> str:
    """Where a reminder's button leads: a page that asks, and does it by a POST."""
    return f"{_url('answer_reminder', settings.SITE_URL, _SLUG).replace(_SLUG, slug)}?say={say}"


def new_table_url() -> str:
    return _url("new_table", settings.SITE_URL)


def again_url(slug: str) -> str:
    """The form of a new table for those who played that finished game."""
    return f"{new_table_url()}?again={slug}"


def season_url(slug: str) -> str:
    return _url("season", settings.SITE_URL, slug)


def invitation_url(token: str) -> str:
    return _url("invitation", settings.SITE_URL, token)


def preferences_url() -> str:
    return _url("mail_preferences", settings.SITE_URL)


def _url(name: str, site: str, *args: str) -> str:
    return site + reverse(name, args=args)
