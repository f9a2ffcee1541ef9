"""How a page that waits polls its table every few seconds.

When nothing has changed the answer is empty and costs next to nothing: neither session nor player is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from hashlib import blake2b
from itertools import chain
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.core.signing import BadSignature, Signer
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotModified, JsonResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.caching import prepared
from games.models import FormerHolder, Game, Invitation, Player, Seat, count_waiting
from games.pages.access import no_table, table_url
from games.pov import Pov, may_read_talk

VISITOR = "visitor"
MOST_WALKS = 4
"""Moves that are shown in motion when a page has missed several."""

GetResponse = Callable[[HttpRequest], HttpResponseBase]

InvitedCounts = tuple[int, int, int]
"""The invitations to an open table: how many keep a seat and, for its opener, how many there are, and how many have
been answered."""
NOBODY_INVITED: Final[InvitedCounts] = (0, 0, 0)

_signer = Signer(salt="games.pages.table.poll")


class SeatState(NamedTuple):
    """All about a seat that can change, by the names of its columns, which are those of a seat of a Pov, too."""

    name: str
    is_bot: bool
    agrees_to_abandon: bool
    autopiloted: int
    says: str
    is_ready: bool
    nudged_at: datetime | None


class GameState(NamedTuple):
    """All else about a table that can change: moves, start and end, by when, what was said, who opened it, who is
    invited."""

    ply: int
    edition: int
    status: str
    free_until: int | None
    due_at: int | None
    said: int
    opener: str
    invited: InvitedCounts


class _Row(NamedTuple):
    """What every row of the query says of the table and of its reader. After it come the seat's player and state."""

    game__ply: int
    game__edition: int
    game__status: str
    game__free_until: datetime | None
    game__due_at: datetime | None
    game__said: int
    game__talk: str
    game__is_public: bool
    game__opener: int | None
    waiting: int | None
    has_left: bool


PLAYER: Final = len(_Row._fields)
"""The index of a seat's player in a row of the query."""
_seat_state: Final = attrgetter(*SeatState._fields)


def poll_attributes(pov: Pov, viewer: Player | None, invited: InvitedCounts, *, is_next_due: bool) -> SafeString:
    """The attributes that `poll.js` reads: the address to poll, and how to show news. No text of players.

    While the next table of the series is due, the page of the game that is over is fetched again at each poll: no
    version has that table.
    """
    moves = " ".join(str(move.step.move) for move in pov.moves[-MOST_WALKS:])
    marks = [f'data-ply="{pov.ply}" data-moves="{moves}"']
    if not pov.is_over or is_next_due:
        marks += [f'data-poll="{poll_url(pov.slug, viewer)}" data-version="{version_of(pov, invited)}"']
    marks += [f'data-heard="{pov.said}"'] if pov.me else []
    marks += ["data-away"] if pov.me and pov.me.is_on_autopilot else []
    marks += ['data-until="0"'] if is_next_due else []
    is_soon = is_next_due or (pov.mover and (pov.mover.is_bot or pov.mover.is_on_autopilot))
    marks += ["data-soon"] if is_soon else []
    marks += ["data-still"] if viewer and not viewer.sees_motion else []
    return SafeString(" ".join(marks))


def poll_url(slug: str, viewer: Player | None) -> str:
    """The address that a page of `viewer` polls. It says whose waiting tables to count, so that no session is
    needed."""
    return f"{table_url(slug)}poll/{_signer.sign(str(viewer.pk)) if viewer else VISITOR}/"


def _reader(reader: str) -> int:
    """The key of the player that an address was made for; 0 for a visitor, and for one that was not made here."""
    try:
        return int(_signer.unsign(reader))
    except BadSignature:
        return 0


def version_of(pov: Pov, invited: InvitedCounts = NOBODY_INVITED) -> str:
    """An identifier for the state of the table that this page shows: if the identifier has changed, the page is out of
    date."""
    game = GameState(
        ply=pov.last_ply,
        edition=pov.edition,
        status=pov.status,
        free_until=_minute(pov.free_until),
        due_at=_minute(pov.due_at),
        said=pov.said,
        opener=next((seat.name for seat in pov.seats if seat.is_opener), ""),
        invited=invited,
    )
    return _version(game, [SeatState(*_seat_state(seat)) for seat in pov.seats])


def _version(game: GameState, seats: list[SeatState]) -> str:
    """A digest of everything about a table that can change."""
    return blake2b(repr([*game, *chain.from_iterable(sorted(seats))]).encode(), digest_size=8).hexdigest()


def _minute(moment: datetime | None) -> int | None:
    return int(moment.timestamp()) // 60 if moment else None


@require_safe
def poll(request: HttpRequest, slug: str, reader: str) -> HttpResponseBase:
    """The state of the table, and how many tables wait for the reader; 304 if they know this already.

    Costs one query, and another one at an open table.
    """
    found = _state(slug, reader)
    if found is None:
        raise no_table()
    news, headers = found
    return _not_modified(request, headers) or JsonResponse(news, headers=headers)


def respond_to_polls_early(get_response: GetResponse) -> GetResponse:
    """The middleware that answers 304 before anybody looks for a session: nearly every poll gets 304, and the rest of
    the request costs most of a page. The view gives all other answers."""

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
    game, players = _Row._make(rows[0][:PLAYER]), [row[PLAYER] for row in rows]
    seats = [SeatState._make(row[PLAYER + 1 :]) for row in rows]
    invited = NOBODY_INVITED
    if game.game__status == Game.Status.OPEN:
        invitations = Invitation.objects.filter(game__slug=slug).exclude(answer=Invitation.Answer.WITHDRAWN)
        is_opener = game.game__opener == reader_id
        invited = count_invited(list(invitations), is_opener=is_opener, at=timezone.now())
    state = GameState(
        ply=game.game__ply,
        edition=game.game__edition,
        status=game.game__status,
        free_until=_minute(game.game__free_until),
        due_at=_minute(game.game__due_at),
        said=_said(game, is_player=game.has_left or reader_id in players),
        opener=next(
            (seat.name for seat, player in zip(seats, players, strict=True) if player == game.game__opener), ""
        ),
        invited=invited,
    )
    version, waiting = _version(state, seats), game.waiting or 0
    headers = {"ETag": f'"{version}-{waiting}"', "Cache-Control": "private, no-cache"}
    return {"version": version, "ply": state.ply, "status": state.status, "waiting": waiting}, headers


def _said(game: _Row, *, is_player: bool) -> int:
    """The last postcard, as far as the reader may know of it."""
    if not game.game__said:
        return 0
    is_over, is_public = game.game__status == Game.Status.FINISHED, game.game__is_public
    may_read = may_read_talk(game.game__talk, is_player=is_player, is_public=is_public, is_over=is_over)
    return game.game__said if may_read else 0


def _not_modified(request: HttpRequest, headers: dict[str, str]) -> HttpResponseNotModified | None:
    known = request.META.get("HTTP_IF_NONE_MATCH", "").removeprefix("W/")
    return HttpResponseNotModified(headers=headers) if known == headers["ETag"] else None


def count_invited(invitations: Collection[Invitation], *, is_opener: bool, at: datetime) -> InvitedCounts:
    """What a page shows of these: everybody except the opener sees only how many seats are kept."""
    kept = sum(each.keeps_seat(at) for each in invitations)
    return (kept, len(invitations), sum(each.answer != "" for each in invitations)) if is_opener else (kept, 0, 0)


@prepared
def _seats_and_waiting(slug: str, player: int) -> QuerySet[Seat, tuple[Any, ...]]:
    left = FormerHolder.objects.filter(seat__game=OuterRef("game"), player=player)
    waiting = Subquery(count_waiting.queryset(player))
    seats = Seat.objects.filter(game__slug=slug).annotate(waiting=waiting, has_left=Exists(left))
    return seats.values_list(*_Row._fields, "player", *SeatState._fields)
