"""What views answer besides a page: another address to read, statuses that refuse something, and feeds. The page says
why it refuses; a program reads it off the status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.db.models import Model
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html_join
from django.utils.http import http_date
from django.utils.translation import get_language

from games import words


class SeeOther(HttpResponseRedirect):
    """After a POST: leads to the page that shows the result, so that reloading sends nothing twice."""

    status_code = 303


def done(request: HttpRequest, to: Model | str, sentence: str) -> HttpResponse:
    """After a POST that did something: to the page of an object, of that name or at that address, which says so."""
    messages.success(request, sentence)
    return SeeOther(resolve_url(to))


INCOMPLETE: Final = HTTPStatus.UNPROCESSABLE_ENTITY
"""What was sent cannot be read, or the rules of the game forbid it."""
CONFLICT: Final = HTTPStatus.CONFLICT
"""What was sent is valid, but the game is no longer (or not yet) at the ply that it was made for."""
TOO_OFTEN: Final = HTTPStatus.TOO_MANY_REQUESTS
"""More than a limit allows (`games.limits`)."""
GONE: Final = HTTPStatus.GONE
"""What the link was for is over."""
FORBIDDEN: Final = HTTPStatus.FORBIDDEN
"""Others may do that, this player may not."""


def status_of(form: BaseForm) -> HTTPStatus:
    """The status of a page that shows a form: a form that was sent is shown again only if it was refused."""
    return INCOMPLETE if form.is_bound else HTTPStatus.OK


def set_cookie(response: HttpResponse, name: str, value: str, *, age: int, is_strict: bool = False) -> None:
    """Set a cookie for `age` seconds that no script reads; one that `is_strict` comes along with no link of another
    site."""
    response.set_cookie(
        name,
        value,
        max_age=age,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict" if is_strict else "Lax",
    )


def respond_for_a_day(
    request: HttpRequest, content: bytes, headers: Mapping[str, str], *, is_public: bool
) -> HttpResponse:
    """An answer that names the players of a finished game, or 304 if the client has it. It is cached for a day and no
    longer, because a player may close the account. Proxies may share it if it `is_public`."""
    cache = f"{'public' if is_public else 'private'}, max-age=86400"
    response = HttpResponse(content, headers={**headers, "Cache-Control": cache})
    set_response_etag(response)
    if get_conditional_response(request, etag=response["ETag"]) is not None:
        # With all headers: caches may take those of the policy over.
        return HttpResponseNotModified(headers=response.headers)
    return response


# --- Feeds -----------------------------------------------------------------------------------------

MOST_ENTRIES: Final = 50
"""Entries of a feed, the newest."""
ATOM: Final = "application/atom+xml; charset=utf-8"


class Feed(Atom1Feed):
    """Django's own, except that an empty feed also says when it last changed, and the same time on each request. `name`
    is permanent among the feeds of the site, as those of entries are, and `address` where the feed itself is read."""

    def __init__(self, title: str, *, link: str, description: str, address: str, name: str) -> None:
        super().__init__(
            title=words.one_line(title),
            link=link,
            description=description,
            feed_url=address,
            feed_guid=_tag(name),
            language=get_language(),
        )

    def add(
        self,
        title: str,
        *,
        link: str,
        lines: Iterable[str],
        name: str,
        author: str,
        at: datetime | None,
        changed: datetime | None = None,
    ) -> None:
        """Add an entry that says `lines`; `at` is None where nobody knows when it happened. It `changed` then, too,
        unless another time is given."""
        self.add_item(
            title=words.one_line(title),
            link=link,
            description=paragraphs(lines),
            unique_id=_tag(name),
            unique_id_is_permalink=False,
            pubdate=at,
            updateddate=changed or at,
            author_name=words.one_line(author),
        )

    def dated(self, changed: datetime) -> bytes:
        self.changed = changed
        return self.writeString("utf-8").encode()

    def latest_post_date(self) -> datetime:
        return self.changed


def respond_with_feed(request: HttpRequest, content: bytes, kind: str, *, changed: datetime) -> HttpResponse:
    """The feed, or 304 if the reader has it. No proxy may share it, no search engine list it, and no link in it sends
    its address as referrer."""
    modified = int(changed.timestamp())
    response = HttpResponse(content, content_type=kind)
    set_response_etag(response)
    response["Last-Modified"] = http_date(modified)
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    known = get_conditional_response(request, etag=response["ETag"], last_modified=modified, response=response)
    return known or response


def _tag(name: str) -> str:
    """A permanent name (RFC 4151), which stays when the site's address changes."""
    return f"tag:{settings.MAIL_DOMAIN},2026:{name}"


def paragraphs(lines: Iterable[str]) -> str:
    """The lines as HTML, empty ones left out."""
    return format_html_join("", "<p>{}</p>", ([words.one_line(line)] for line in lines if line))
