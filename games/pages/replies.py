"""What views answer besides a page: another address to read, statuses that refuse something, and feeds. The page says
why it refuses; a program reads it off the status."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html_join
from django.utils.http import http_date

from games import words


class SeeOther(HttpResponseRedirect):
    """After a POST: what came of it is to be read by GET over there, so that reloading sends nothing twice."""

    status_code = 303


INCOMPLETE: Final = HTTPStatus.UNPROCESSABLE_ENTITY
"""What was sent cannot be read, or the rules of the game forbid it."""
CONFLICT: Final = HTTPStatus.CONFLICT
"""What was sent was sound, but the game is no longer (or not yet) where it was made for."""
TOO_OFTEN: Final = HTTPStatus.TOO_MANY_REQUESTS
"""More than a limit allows (`games.limits`)."""
GONE: Final = HTTPStatus.GONE
"""What the link was for is over."""
FORBIDDEN: Final = HTTPStatus.FORBIDDEN
"""Somebody else may do that."""


def status_of(form: BaseForm) -> HTTPStatus:
    """The status of a page that shows a form; one that was sent is only shown again when it was refused."""
    return INCOMPLETE if form.is_bound else HTTPStatus.OK


def answer_for_a_day(
    request: HttpRequest, content: bytes, headers: Mapping[str, str], *, is_public: bool
) -> HttpResponse:
    """What names people of a game that is over, or 304 for who has it: cached for a day, as somebody may close the
    account. Proxies may share what `is_public`."""
    cache = f"{'public' if is_public else 'private'}, max-age=86400"
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {**headers, "ETag": etag, "Cache-Control": cache}
    if get_conditional_response(request, etag=etag) is not None:
        # With all headers: caches may take those of the policy over.
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(content, headers=headers)


# --- Feeds -----------------------------------------------------------------------------------------

MOST_ENTRIES: Final = 50
"""Entries of a feed, the newest."""
ATOM: Final = "application/atom+xml; charset=utf-8"


class Feed(Atom1Feed):
    """Django's own, but that a feed says when it changed also where it is empty, and the same each time."""

    def dated(self, changed: datetime) -> bytes:
        self.changed = changed
        return self.writeString("utf-8").encode()

    def latest_post_date(self) -> datetime:
        return self.changed


def answer_feed(request: HttpRequest, content: bytes, kind: str, *, changed: datetime) -> HttpResponse:
    """The feed, or 304 for a reader who has it. No cache may share it, no list name it, no link tell where it was
    found."""
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    modified = int(changed.timestamp())
    response = HttpResponse(content, content_type=kind)
    response["ETag"] = etag
    response["Last-Modified"] = http_date(modified)
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    return get_conditional_response(request, etag=etag, last_modified=modified, response=response) or response


def tag(name: str) -> str:
    """A name for ever (RFC 4151), whatever the site's address becomes."""
    return f"tag:{settings.MAIL_DOMAIN},2026:{name}"


def paragraphs(lines: Iterable[str]) -> str:
    """The lines as HTML, empty ones left out."""
    return format_html_join("", "<p>{}</p>", ([words.one_line(line)] for line in lines if line))
