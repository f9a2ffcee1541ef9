"""All tables that wait for a player on one page, with one form for the moves at all of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games import words
from games.models import Game, Player, count_waiting
from games.pages.access import table_url
from games.pages.forms import for_players
from games.pages.lists.small_board import named_board_url
from games.pages.replies import INCOMPLETE
from games.pages.table import news
from games.pages.table.legal_moves import list_legal_moves
from games.pages.table.long_lists import list_territories
from games.pages.table.many_moves import TableOutcome, play_sent, preview, read_sent
from games.pages.table.side import clan_drawn
from games.pages.times import show_sentence
from games.pov import Pov, look, read_awaiting
from games.words.in_full import tell_scores
from games.words.spans import say_span
from games.words.summary import say_picture
from games.words.time_left import say_clock

MOST: Final = 20
"""Tables on one page, and moves in one form."""
RECENT: Final = 4
"""How many of the last moves are told; more of them are news only to a player who stayed away or took the seat over."""


@for_players
def all_turns(request: HttpRequest, player: Player) -> HttpResponse:
    """The tables that wait, nearest deadline first, each with the card of the player. Each move that is filled in is
    played separately: if one table refuses its move, the others are not affected. Players who confirm their moves are
    asked once for all of them."""
    if request.method != "POST":
        return _show(request, player)
    sent = read_sent(request.POST, player)
    if not sent:
        return _show(request, player, refusal=_("No move was filled in, so nothing was played."), status=INCOMPLETE)
    if len(sent) > MOST:
        refusal = _("These are moves for more than %(most)d tables, so nothing was played.") % {"most": MOST}
        return _show(request, player, refusal=refusal, status=INCOMPLETE)
    if "change" in request.POST:
        return _show(request, player, outcomes=[one.outcome() for one in sent])
    if player.confirms_moves and "sure" not in request.POST:
        return _ask(request, player, [preview(one, player) for one in sent])
    return _show(request, player, outcomes=[play_sent(one) for one in sent])


def _ask(request: HttpRequest, player: Player, outcomes: list[TableOutcome]) -> HttpResponse:
    """What the moves would do, and the button that plays them; the form again if none can be played."""
    ready = [outcome for outcome in outcomes if not outcome.refusal]
    if not ready:
        return _show(request, player, outcomes=outcomes)
    about = {"outcomes": outcomes, "ready": ready, "refused": [one for one in outcomes if one.refusal]}
    return render(request, "games/all_turns_sure.html", about)


def _show(
    request: HttpRequest,
    player: Player,
    *,
    outcomes: Sequence[TableOutcome] = (),
    refusal: str = "",
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """The results of the moves that were sent, then the tables that wait now. Moves that were not played stay filled
    in."""
    games = list(Game.objects.awaiting(player).select_related("deal", "series")[:MOST])
    read_awaiting(player, games)
    kept = {outcome.slug: outcome for outcome in outcomes if not outcome.move}
    refused = [outcome for outcome in outcomes if outcome.refusal]
    about = {
        "turns": [_turn(look(game, viewer=player), kept.get(game.slug)) for game in games],
        "more": sum(count for (count,) in count_waiting(player.pk)) - MOST if len(games) == MOST else 0,
        "waiting": {game.slug for game in games},
        "played": [outcome for outcome in outcomes if outcome.move],
        "take_back_time": _say_take_back_time(),
        "refused": refused,
        "refusal": refusal,
        "is_covered": request.COOKIES.get("card") == "covered",
    }
    response = render(request, "games/all_turns.html", about, status=INCOMPLETE if refused else status)
    # Whoever sits down at this browser next must not find the cards by going back.
    response["Cache-Control"] = "private, no-store"
    return response


def _say_take_back_time() -> str:
    """For how long a move that is made on a page can be taken back; empty where it cannot."""
    wait = timedelta(seconds=settings.MAIL_WAIT_SECONDS)
    return say_span(wait, is_exact=True) if wait else ""


def _turn(pov: Pov, kept: TableOutcome | None) -> dict[str, Any]:
    """A table that waits, with what was filled in for it and not played."""
    position = pov.position
    if position is None or pov.me is None:
        raise ValueError(f"{pov.slug} does not wait for the player")
    contents, recent = words.describe_board(position, pov.seats), (news.missed(pov) or pov.moves[-1:])[-RECENT:]
    fields = kept.fields if kept else {}
    return {
        "pov": pov,
        "url": table_url(pov.slug),
        "board": named_board_url(pov),
        "picture": say_picture(pov.last_ply),
        "others": words.join_words([seat.name for seat in pov.seats if not seat.is_mine]),
        "clock": show_sentence(say_clock(pov, now=datetime.now(UTC))),
        "news": news.tell(recent, pov),
        "scores": tell_scores(position),
        "next_chip": words.say_next_chip(position),
        "card": clan_drawn(pov.me.clan),
        "territories": list_territories(position.ruleset.board, contents),
        "moves": list_legal_moves(position, contents, chosen=fields.get("picked", "")),
        "written": fields.get("written", "")[:40],
        "refusal": kept.refusal if kept else "",
    }
