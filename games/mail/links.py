"""The addresses that mails link: absolute URLs, because a mail has no base address."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode


def url(name: str, *args: str) -> str:
    """The address of the page with that name in `urls.py`."""
    return settings.SITE_URL + reverse(name, args=args)


def press_url(slug: str, secret: str) -> str:
    """The page on which whoever has the secret can move. No server sees the secret, because it is in the fragment."""
    return f"{url('press', slug)}#{secret}"


def draft_url(slug: str, move: str) -> str:
    """The table with a move filled in, to be looked at and confirmed."""
    return f"{url('table', slug)}?{urlencode({'move': move})}"


def answer_reminder_url(slug: str, say: str) -> str:
    """Where a reminder's button leads: a page that asks, and does it by a POST."""
    return f"{url('answer_reminder', slug)}?say={say}"


def again_url(slug: str) -> str:
    """The form of a new table for those who played that finished game."""
    return f"{url('new_table')}?again={slug}"
