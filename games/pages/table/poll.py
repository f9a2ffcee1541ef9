"""How a page that waits polls its table every few seconds.

When nothing has changed the answer is empty and costs next to nothing: neither session nor player is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from django.core.signing import BadSignature, Signer
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotModified, JsonResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.caching import prepared
from games.models import FormerHolder, Game, Invitation, Player, Seat, count_waiting
from games.pages.access import table_url
from games.pov import Pov, may_read_talk

VISITOR = "visitor"
PLAYER: Final = 11
"""Where the player of a seat stands in a row of the query."""
MOST_WALKS = 4
"""Moves that are shown in motion when a page has missed several."""

GetResponse = Callable[[HttpRequest], HttpResponseBase]

InvitedCounts = tuple[int, int, int]
"""Of the invitations to an open table: for how many a seat is kept and, for its opener, how many there are, and have
been answered."""
NOBODY_INVITED: Final[InvitedCounts] = (0, 0, 0)

_signer = Signer(salt="games.pages.table.poll")


def following(seen: Pov, viewer: Player | None, invited: InvitedCounts = NOBODY_INVITED) -> SafeString:
    """What the script of a page reads: the address to poll, and how to show news. No text of players."""
    moves = " ".join(str(move.step.move) for move in seen.moves[-MOST_WALKS:])
    marks = [f'data-ply="{seen.ply}" data-moves="{moves}"']
    if not seen.is_over:
        marks += [f'data-poll="{poll_url(seen.slug, viewer)}" data-version="{version_of(seen, invited)}"']
    marks += [f'data-seen="{table_url(seen.slug)}seen/" data-heard="{seen.said}"'] if seen.me else []
    marks += ["data-away"] if seen.me and seen.me.is_on_autopilot else []
    marks += ["data-soon"] if seen.mover and (seen.mover.is_bot or seen.mover.is_on_autopilot) else []
    marks += ["data-still"] if viewer and not viewer.sees_motion else []
    return SafeString(" ".join(marks))


def poll_url(slug: str, viewer: Player | None) -> str:
    """The address that a page of `viewer` polls. It says whose waiting tables to count, so that no session has to."""
    return f"{table_url(slug)}poll/{_signer.sign(str(viewer.pk)) if viewer else VISITOR}/"


def _reader(reader: str) -> int:
    """The key of the player that an address was made for; 0 for a visitor, and for one that was not made here."""
    try:
        return int(_signer.unsign(reader))
    except BadSignature:
        return 0


def version_of(seen: Pov, invited: InvitedCounts = NOBODY_INVITED) -> str:
    """What stands for the state of the table that this page shows: where it differs, the page is out of date."""
    seats = (
        (seat.name, seat.is_bot, seat.agrees_to_abandon, seat.autopiloted, seat.says, seat.is_ready, seat.nudged_at)
        for seat in seen.seats
    )
    opener = next((seat.name for seat in seen.seats if seat.is_opener), "")
    game = (seen.last_ply, seen.edition, seen.status, seen.said, opener, invited)
    return _version(game, (seen.free_until, seen.due_at), tuple(seats))


def _version(
    game: tuple[int, int, str, int, str, InvitedCounts],
    until: tuple[datetime | None, datetime | None],
    seats: tuple[tuple[Any, ...], ...],
) -> str:
    """A digest of everything about a table that can change: moves, start and end, what was said, whose turn it is,
    who is invited, by when, who sits there and is ready, who gave up, who was nudged and when."""
    minutes = [moment and int(moment.timestamp()) // 60 for moment in until]
    stamped = sorted((*seat, nudged and nudged.timestamp()) for *seat, nudged in seats)
    return blake2b(repr((game, minutes, stamped)).encode(), digest_size=8).hexdigest()


@require_safe
def poll(request: HttpRequest, slug: str, reader: str) -> HttpResponseBase:
    """How far the table is, and how many tables wait for the reader; 304 when that is what they know already.

    Costs one query, and another one at an open table.
    """
    found = _state(slug, reader)
    if found is None:
        raise Http404(_("There is no table at this address."))
    news, headers = found
    return _not_modified(request, headers) or JsonResponse(news, headers=headers)


def answer_polls_early(get_response: GetResponse) -> GetResponse:
    """The middleware that answers 304 before anybody looks for a session: nearly every poll gets that, and what comes
    after this costs most of a page. All other answers are left to the view."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method == "GET" and "HTTP_IF_NONE_MATCH" in request.META:
            match request.path_info.split("/"):
                case ["", "tables", slug, "poll", reader, ""]:
                    # Raises DisallowedHost.
                    request.get_host()
                    if answer := _unchanged(request, slug, reader):
                        return answer
        return get_response(request)

    return middleware


def _unchanged(request: HttpRequest, slug: str, reader: str) -> HttpResponseNotModified | None:
    found = _state(slug, reader)
    return _not_modified(request, found[1]) if found else None


def _state(slug: str, reader: str) -> tuple[dict[str, Any], dict[str, str]] | None:
    """The answer as data, and its headers; None where there is no table."""
    reader_id = _reader(reader)
    rows = _seats_and_waiting(slug, reader_id)
    if not rows:
        return None
    ply, edition, status, free_until, due_at, said, talk, is_public, opener, waiting, has_left = rows[0][:PLAYER]
    if said:
        is_player = has_left or any(row[PLAYER] == reader_id for row in rows)
        is_over = status == Game.Status.FINISHED
        said *= may_read_talk(talk, is_player=is_player, is_public=is_public, is_over=is_over)
    whose = next((row[PLAYER + 1] for row in rows if row[PLAYER] == opener), "")
    invited = NOBODY_INVITED
    if status == Game.Status.OPEN:
        invitations = Invitation.objects.filter(game__slug=slug).exclude(answer=Invitation.Answer.WITHDRAWN)
        invited = count_invited(list(invitations), is_opener=opener == reader_id, at=timezone.now())
    game = (ply, edition, status, said, whose, invited)
    version = _version(game, (free_until, due_at), tuple(row[PLAYER + 1 :] for row in rows))
    waiting = waiting or 0
    headers = {"ETag": f'"{version}-{waiting}"', "Cache-Control": "private, no-cache"}
    return {"version": version, "ply": ply, "status": status, "waiting": waiting}, headers


def _not_modified(request: HttpRequest, headers: dict[str, str]) -> HttpResponseNotModified | None:
    known = request.META.get("HTTP_IF_NONE_MATCH", "").removeprefix("W/")
    return HttpResponseNotModified(headers=headers) if known == headers["ETag"] else None


def count_invited(invitations: Collection[Invitation], *, is_opener: bool, at: datetime) -> InvitedCounts:
    """What a page tells of these: all but its opener see only for how many a seat is kept."""
    kept = sum(each.keeps_seat(at) for each in invitations)
    return (kept, len(invitations), sum(each.answer != "" for each in invitations)) if is_opener else (kept, 0, 0)


@prepared
def _seats_and_waiting(slug: str, player: int) -> QuerySet[Seat, tuple[Any, ...]]:
    left = FormerHolder.objects.filter(seat__game=OuterRef("game"), player=player)
    waiting = Subquery(count_waiting.queryset(player))
    seats = Seat.objects.filter(game__slug=slug).annotate(waiting=waiting, has_left=Exists(left))
    game = ("game__ply", "game__edition", "game__status", "game__free_until", "game__due_at")
    talk = ("game__said", "game__talk", "game__is_public", "game__opener")
    return seats.values_list(
        *(*game, *talk, "waiting", "has_left"),
        *("player", "name", "is_bot", "agrees_to_abandon", "autopiloted", "says", "is_ready", "nudged_at"),
    )
