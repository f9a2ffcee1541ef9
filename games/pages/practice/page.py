"""A practice game against a computer player, without an account. It is stored in the visitor's session and nowhere
else.

Its board, its forms and its address (/tables/practice/) are those of a table, so whatever works at a table works here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import play, rules, words
from games.limits import PRACTICE
from games.models import Game
from games.pages.access import not_so_far, table_url, viewer_of
from games.pages.counting import refused
from games.pages.forms import MoveForm
from games.pages.replies import CONFLICT, INCOMPLETE, TOO_OFTEN, SeeOther
from games.pages.table import board_view
from games.pages.table.draft import read_draft
from games.pages.table.one_ply import about_ply
from games.pages.table.page import about_play, contents_of
from games.pov import DealPov, MovePov, Pov, SeatPov, founding_plies

KEY = "practice"
SLUG = "practice"
"""In the place of a table's slug; those of tables are longer."""


def practice(request: HttpRequest) -> HttpResponse:
    """What a practice game is; begins one, in the place of any other, and goes there.

    With `begun=stays` one that is not over goes on.
    """
    if request.method != "POST":
        return _introduce(request)
    game = _saved_game(request) if request.POST.get("begun") == "stays" else None
    return _begin(request) if game is None or game.position.over else SeeOther(table_url(SLUG))


@require_safe
def practice_table(request: HttpRequest) -> HttpResponse:
    """The table, with the same drafts in its address as at any other; without a game how to begin one."""
    game = _saved_game(request)
    if game is None:
        return _introduce(request, has_none=True)
    return _show(request, game, chosen=request.GET)


@require_safe
def practice_ply(request: HttpRequest, ply: int) -> HttpResponse:
    """The game when `ply` moves had been played; 404 beyond the last. Without a game how to begin one."""
    game = _saved_game(request)
    if game is None:
        return _introduce(request, has_none=True)
    if ply > len(game.steps):
        raise not_so_far()
    pov = practice_pov(game, name=_name(request), at=timezone.now(), ply=ply)
    about = about_ply(pov, game.at(ply))
    return render(request, "games/replay.html", {**about, "is_practice": True})


def practice_move(request: HttpRequest) -> HttpResponse:
    """Play the move, and the computer player's answer. When the session has no game any more, a new one begins."""
    game = _saved_game(request)
    if request.method != "POST":
        return redirect("table", SLUG)
    if game is None:
        return _begin(request, lost=True)
    form = MoveForm(request.POST)
    if not form.is_valid():
        return _show(request, game, chosen=request.POST, refusal=form.refusal, status=INCOMPLETE)
    try:
        played = play.play_practice(
            game, rules.Move.parse(form.text, game.opening.ruleset.board), ply=form.cleaned_data["ply"]
        )
        if played is not game:
            request.session[KEY] = played.as_data()
        # At whose turn it is: without script the page opens there.
        return SeeOther(table_url(SLUG) + "#turn")
    except rules.ClansError as error:
        refusal, status = words.explain_error(error), INCOMPLETE
    except play.PlayError as error:
        refusal, status = words.explain_refusal(error), CONFLICT
    return _show(request, game, chosen={"move": form.text}, refusal=refusal, status=status)


def _saved_game(request: HttpRequest) -> play.Practice | None:
    """The game of the session; None if there is none that can be read."""
    try:
        return play.read_practice(request.session[KEY]) if KEY in request.session else None
    except ValueError:
        return None


def _begin(request: HttpRequest, *, lost: bool = False) -> HttpResponse:
    """A new game. If it needs a new session, the limit of the network applies."""
    key = request.session.session_key
    is_new = key is None or not request.session.exists(key)
    if is_new and refused(PRACTICE, request):
        return render(request, "429.html", status=TOO_OFTEN)
    if lost:
        messages.info(request, _("Your practice game is not stored any more. Here is a new one."))
    request.session[KEY] = play.begin_practice().as_data()
    return SeeOther(table_url(SLUG))


def _introduce(request: HttpRequest, *, has_none: bool = False) -> HttpResponse:
    game = _saved_game(request)
    about = {"has_none": has_none, "is_going": game is not None and not game.position.over}
    return render(request, "games/practice.html", about)


# --- The table -----------------------------------------------------------------------------------


def _show(
    request: HttpRequest, game: play.Practice, *, chosen: Mapping[str, str], refusal: str = "", status: int = 200
) -> HttpResponse:
    viewer = viewer_of(request)
    pov = practice_pov(game, name=_name(request), at=timezone.now())
    one_tap = viewer is not None and not viewer.confirms_moves
    about = {
        "pov": pov,
        "table_url": table_url(SLUG),
        "refusal": refusal,
        "is_covered": request.COOKIES.get("card") == "covered",
        "one_tap": one_tap,
        "is_practice": True,
        **_about(pov, game.position, chosen, one_tap=one_tap),
    }
    return render(request, "games/practice_table.html", about, status=status)


def _about(pov: Pov, position: rules.Position, chosen: Mapping[str, str], *, one_tap: bool) -> dict[str, Any]:
    """What the page shows, as at a table; and a hint."""
    draft = read_draft(chosen if pov.is_running else {}, position)
    contents = contents_of(pov, position)
    clan = pov.me.clan if pov.me else ""
    return {
        **about_play(pov, position, draft, chosen=chosen, contents=contents),
        "hint": "" if pov.is_over or draft.origin else hint(position, clan),
        "board": board_view.draw_table(pov, position, draft, contents=contents, one_tap=one_tap),
    }


def hint(position: rules.Position, clan: str) -> str:
    """One sentence for the player who is to move and holds `clan`. Costs about 2 ms of CPU."""
    villages = list(_villages(position))
    good = [village for village in villages if clan in village.scored]
    name = {"clan": words.name_clan(clan)}
    if good:
        best = max(good, key=lambda village: village.value).territory
        said = _("Look around %(territory)s: it can become a village in which %(clan)s scores.")
        return said % (name | {"territory": best})
    if villages:
        said = _("%(territory)s can become a village. %(clan)s gets nothing there, but its founder gets a chip.")
        return said % {"territory": villages[0].territory, "clan": name["clan"].capitalize()}
    general = (
        _("You may move anybody’s huts. Move others than %(clan)s now and then, or your card is easy to guess.") % name,
        _("A group becomes a village when all land around it is empty. Which group has few neighbors left?"),
        words.say_next_chip(position),
        _("In a village every clan scores the same, so one %(clan)s hut among many others is enough.") % name,
    )
    return general[position.ply // 2 % len(general)]


def _villages(position: rules.Position) -> Iterator[rules.Village]:
    """What the moves of a position could found, each with its first founding order."""
    for move in rules.legal_moves(position):
        yield from rules.play(position, move, choose=lambda orders: orders[0]).villages


def _name(request: HttpRequest) -> str:
    viewer = viewer_of(request)
    return viewer.username if viewer else _("Guest")


def practice_pov(game: play.Practice, *, name: str, at: datetime, ply: int | None = None) -> Pov:
    """The game as the person who plays it, called `name`, may see it at `ply` (None: the last)."""
    shown = len(game.steps) if ply is None else ply
    position = game.at(shown)
    is_over = game.position.over
    return Pov(
        slug=SLUG,
        name=_("Practice game"),
        status=Game.Status.FINISHED if is_over else Game.Status.RUNNING,
        end=game.position.end,
        size=position.seats,
        five_clans=position.five_clans,
        ruleset=position.ruleset,
        is_public=False,
        created_at=at,
        started_at=at,
        ended_at=at if is_over else None,
        turn_since=at,
        ply=shown,
        last_ply=len(game.steps),
        villages_ahead=founding_plies(game.steps[shown:]),
        seats=(_seat(game, play.PERSON, name, position), _seat(game, play.COMPUTER, _("Computer"), position)),
        moves=tuple(MovePov(step, at, by_bot=step.seat == play.COMPUTER) for step in game.steps[:shown]),
        position=position,
        opening=game.opening,
        deal=DealPov("", ""),
    )


def _seat(game: play.Practice, number: int, name: str, position: rules.Position) -> SeatPov:
    """A seat, with its chips and its clan's points as they are in `position`."""
    clan, now = game.clans[number], game.position
    result = rules.standings(now, game.clans)[number] if now.over else None
    return SeatPov(
        number=number,
        name=name,
        is_bot=number == play.COMPUTER,
        is_opener=number == play.PERSON,
        is_mine=number == play.PERSON,
        is_to_move=not now.over and number == now.to_move,
        chips=position.chips[number],
        clan=clan,
        score=position.scores[rules.CLANS.index(clan)] if result else None,
        total=result.total if result else None,
        rank=result.rank if result else None,
    )
