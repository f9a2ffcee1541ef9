"""The page of one table: before the start who sits there, then the board and the move, at the end the result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib.auth.middleware import get_user
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import pov, rules, words
from games.models import Game, Player, Seat
from games.pages import again, ask, away, board, clock, margin, moves, notebook, pace
from games.pages.draft import Draft, read_draft
from games.pages.forms import JoinForm
from games.pages.pulse import following
from games.prepared import fetch

TEMPLATES = {
    Game.Status.OPEN: "games/table_open.html",
    Game.Status.CLOSED: "games/table_closed.html",
    Game.Status.RUNNING: "games/table.html",
    Game.Status.FINISHED: "games/table.html",
}


@require_safe
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table as the reader may see it; `?from=C4&to=D1` (or `?move=C4-D1`) is the move that they think about."""
    return show_table(request, game_of(slug), chosen=request.GET)


def game_of(slug: str) -> Game:
    """The game of a table's address, with its deal; raises Http404. One query."""
    if found := fetch(_game_and_deal, slug):
        return found[0]
    raise Http404(_("There is no table at this address."))


def _game_and_deal(slug: str) -> QuerySet[Game]:
    return Game.objects.select_related("deal").filter(slug=slug)


def seat_of(game: Game, player: Player) -> Seat | None:
    """The seat that the player plays, without its card. One query."""
    found = fetch(_seats_of, game.pk, player.pk)
    return found[0] if found else None


def _seats_of(game: int, player: int) -> QuerySet[Seat]:
    return Seat.objects.defer("clan", "entropy").filter(game=game, player=player, is_bot=False)


def viewer_of(request: HttpRequest) -> Player | None:
    """Who looks; None for a visitor."""
    if isinstance(request.user, SimpleLazyObject):
        # Once we know, nobody need look again at each attribute.
        request.user = get_user(request)
    return request.user if isinstance(request.user, Player) else None


def show_table(
    request: HttpRequest,
    game: Game,
    *,
    chosen: Mapping[str, str] | None = None,
    form: JoinForm | None = None,
    refusal: str = "",
    since: int | None = None,
    unsaved: str | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of `game`. `refusal` says what could not be done, `since` which ply its reader had seen then; what they
    had `chosen`, filled into the `form` or noted (`unsaved`) is kept."""
    viewer = viewer_of(request)
    seen = pov.look(game, viewer=viewer)
    one_tap = viewer is not None and not viewer.confirms_moves
    if seen.position is None:
        about = _about_open_table(request, seen, form or JoinForm())
    else:
        about = _about_game(seen, seen.position, chosen or {}, since, one_tap=one_tap)
    context = {
        "pov": seen,
        "mine": seen.me if seen.is_running and seen.me and not seen.me.is_bot else None,
        "said": "",
        "refusal": refusal,
        "is_covered": request.COOKIES.get("card") == "covered",
        "following": following(seen, viewer),
        "one_tap": one_tap,
        "notebook": notebook.notebook_of(game, seen, viewer=viewer, unsaved=unsaved),
        "sheets": notebook.reveal(game, seen),
        "again": again.following_table(game, viewer=viewer) if viewer and seen.is_over and seen.me else None,
        **about,
    }
    response = render(request, TEMPLATES[Game.Status(seen.status)], context, status=status)
    if context.get("card") or context.get("notebook"):
        # Whoever sits down at this browser next must not find the card or the note by going back.
        response["Cache-Control"] = "private, no-store"
    return response


def _about_open_table(request: HttpRequest, seen: pov.Pov, form: JoinForm) -> dict[str, Any]:
    free = seen.size - len(seen.seats)
    url = reverse("table", args=(seen.slug,))
    return {
        "form": form,
        "free": free,
        "free_seats": range(free),
        "table_url": url,
        "link": request.build_absolute_uri(url),
        "can_start": len(seen.seats) > 1,
        "has_guests": any(not (seat.is_bot or seat.is_opener) for seat in seen.seats),
        "closer": next((seat for seat in seen.seats if seat.is_opener), None) if seen.ended_at else None,
        "terms": pace.say_terms(seen.terms) if seen.terms else (),
    }


def _about_game(
    seen: pov.Pov, position: rules.Position, chosen: Mapping[str, str], since: int | None, *, one_tap: bool
) -> dict[str, Any]:
    draft = read_draft(chosen, position) if seen.is_running and seen.me else Draft()
    contents = words.describe_board(position, seen.seats)
    missed = () if draft.is_complete and since is None else away.missed(seen, since=since)
    return {
        **about_play(seen, position, draft, chosen=chosen, contents=contents),
        "offer": words.say_offer(seen),
        "missed": away.numbered(missed, seen) if since is not None or len(missed) > 1 else "",
        "is_stale": since is not None,
        "board": board.draw_table(seen, position, draft, contents=contents, missed=missed, one_tap=one_tap),
        # Asked for where it is kept.
        "terms": partial(pace.say_terms, seen.terms) if seen.terms and not seen.is_over else (),
        **clock.about_clock(seen),
    }


def about_play(
    seen: pov.Pov, position: rules.Position, draft: Draft, *, chosen: Mapping[str, str], contents: tuple[str, ...]
) -> dict[str, Any]:
    """What stands on the page of a started game, also of a practice game, but for its board. `draft` is what was read
    of `chosen`, `contents` says what there is in each territory, A1 first."""
    return {
        "written": chosen.get("move", "")[:40] if draft.refusal else "",
        "turn": words.say_turn(seen),
        "last": ask.last_sentences(seen),
        "card": margin.clan_drawn(seen.me.clan) if seen.me and not seen.is_over else "",
        "territories": margin.territory_lists(contents, origins=_origins(seen, position)),
        "moves": moves.moves_data(seen, position),
        "pattern": moves.PATTERN,
        **(margin.about_end(seen) if seen.is_over else ask.about_draft(seen, position, draft, contents=contents)),
        **margin.about_position(seen, position, to_move=seen.mover.number if seen.mover else None),
    }


def _origins(seen: pov.Pov, position: rules.Position) -> frozenset[str]:
    """The territories out of which the viewer may move now."""
    return moves.origins(position) if seen.is_my_turn else frozenset()
