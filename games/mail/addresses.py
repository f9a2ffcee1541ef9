"""The addresses that mails link: whole ones, since a mail is nowhere."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django.conf import settings
from django.urls import reverse

_SLUG: Final = "slug"


def table_url(slug: str) -> str:
    return _of_table("table", settings.SITE_URL).replace(_SLUG, slug)


def answer_url(slug: str, say: str) -> str:
    """Where a reminder's button leads: a page that asks, and does it by a POST."""
    return f"{table_url(slug)}answer/?say={say}"


def new_table_url() -> str:
    return settings.SITE_URL + reverse("new_table")


def preferences_url() -> str:
    return settings.SITE_URL + reverse("preferences")


@lru_cache(maxsize=8)
def _of_table(name: str, site: str) -> str:
    return site + reverse(name, args=(_SLUG,))
