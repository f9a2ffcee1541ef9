"""The page of one table: before the start the players, then the board and the move, at the end the result."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from games import play, rules, words
from games.caching import prepared
from games.models import Game, InboundMail, Player, Series
from games.pages.access import about_free_seats, game_of, table_url, viewer_of
from games.pages.forms import JoinForm, unsent_at
from games.pages.lists import again
from games.pages.lists.sample import sample
from games.pages.table import board_view, choices, clock, moves_json, news, notebook, side, talk
from games.pages.table.draft import NOTHING_CHOSEN, Draft, read_draft
from games.pages.table.invited import InviteForm, about_invitations, favorites_at
from games.pages.table.long_lists import list_territories
from games.pages.table.poll import NOBODY_INVITED, poll_attributes
from games.pov import Pov, SeatPov, look
from games.words import pace
from games.words.ratings import say_rated
from games.words.spans import say_span
from games.words.times import name_moment

TEMPLATES = {
    Game.Status.OPEN: "games/table_open.html",
    Game.Status.CLOSED: "games/table_closed.html",
    Game.Status.RUNNING: "games/table.html",
    Game.Status.FINISHED: "games/table.html",
}
WAITS: Final = (InboundMail.Outcome.ASKED, InboundMail.Outcome.UNPROVED)
"""What became of a move that was sent by mail and that its player has yet to confirm on the site (design 3.2)."""


@require_safe
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table as the reader may see it; `?from=C4&to=D1` (or `?move=C4-D1`) is the move that they think about."""
    return show_table(request, game_of(slug), chosen=request.GET)


def show_table(
    request: HttpRequest,
    game: Game,
    *,
    chosen: Mapping[str, str] | None = None,
    form: JoinForm | None = None,
    invite_form: InviteForm | None = None,
    refusal: str = "",
    since: int | None = None,
    unsaved: str | None = None,
    unsent: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of `game`. `refusal` says what could not be done, `since` which ply its reader had seen then. The page
    keeps what they had `chosen`, filled into the `form`, noted (`unsaved`) or wanted to say (`unsent`)."""
    viewer = viewer_of(request)
    pov = look(game, viewer=viewer)
    kept = unsent_at(request, table_url(game.slug))
    is_next_due = bool(pov.series and game.series and game.series.state == Series.State.DUE)
    conversation = talk.talk_of(game, pov, viewer=viewer, written=unsent or kept.get("say", ""))
    one_tap = viewer is not None and not viewer.confirms_moves
    if pov.position is None:
        invitations = about_invitations(game, viewer, form=invite_form or InviteForm(initial=kept))
        about = _about_open_table(request, pov, form or JoinForm(), invitations)
        about["is_newcomer"] = viewer is None or (pov.me is None and not _has_played(viewer))
        if viewer and pov.terms and invitations["invite_form"]:
            about["favorites"] = favorites_at(pov, pov.terms, viewer, invited=invitations["invited"])
    else:
        notes = conversation.notes if conversation else ()
        about = _about_game(pov, pov.position, chosen or {}, since, one_tap=one_tap, notes=notes)
        about["sign_in_query"] = urlencode({"next": request.get_full_path()}) if viewer is None else ""
    context = {
        "pov": pov,
        "table_url": table_url(pov.slug),
        "rated": _say_rated(pov),
        "plays": bool(pov.is_running and pov.me and not pov.me.is_bot),
        "said": "",
        "talk": conversation,
        "goes_with": False,
        "draft": NOTHING_CHOSEN,
        "refusal": refusal,
        "is_covered": request.COOKIES.get("card") == "covered",
        "poll_attributes": poll_attributes(
            pov, viewer, about.pop("invited_counts", NOBODY_INVITED), is_next_due=is_next_due
        ),
        "one_tap": one_tap,
        "notebook": notebook.notebook_of(game, pov, viewer=viewer, unsaved=unsaved),
        "sheets": notebook.reveal(game, pov),
        **_about_taking_back(game, pov),
        "mailed": _move_sent_by_mail(game, pov, viewer),
        "free_seats": free_seats_for(game, pov, viewer) if pov.is_running else (),
        "season": _place_in_season(game, pov),
        "again": again.following_table(game, viewer=viewer) if viewer and pov.is_over and pov.me else None,
        "is_next_due": is_next_due,
        **about,
    }
    response = render(request, TEMPLATES[Game.Status(pov.status)], context, status=status)
    if context["is_covered"]:
        # table.js has set it, and Safari drops what a script has set after seven days.
        response.set_cookie(
            "card", "covered", max_age=timedelta(days=365), secure=settings.SESSION_COOKIE_SECURE, samesite="Lax"
        )
    if context.get("card") or context.get("notebook") or conversation:
        # Whoever sits down at this browser next must not find the card, the note or the talk by going back.
        response["Cache-Control"] = "private, no-store"
    return response


def _has_played(viewer: Player) -> bool:
    """Whether the viewer has a seat in a game that began. One query."""
    return viewer.seats.filter(game__started_at__isnull=False).exists()


def _place_in_season(game: Game, pov: Pov) -> dict[str, object]:
    """The round of `game` and the season. Somebody who has only the link of a table by link learns nothing of its
    season. No query if `game_of` has read the game."""
    table = getattr(game, "season_table", None)
    if table is None or not (pov.is_public or pov.me):
        return {}
    season = table.round.season
    return {"name": season.name, "url": season.get_absolute_url(), "round": table.round.number}


def free_seats_for(game: Game, pov: Pov, viewer: Player | None) -> tuple[SeatPov, ...]:
    """The seats of a running game that `viewer` may take over; for a visitor those that anybody may take over. No query
    if none is free, else 3 for a player."""
    free = tuple(seat for seat in pov.seats if seat.is_free)
    if not free or pov.me:
        return ()
    try:
        if viewer:
            play.check_takeover(game, player=viewer)
    except play.PlayError:
        return ()
    return free


def _move_sent_by_mail(game: Game, pov: Pov, viewer: Player | None) -> str:
    """The move that `viewer` has sent for this turn last; empty without one, and for everybody else. One query where it
    is their turn and the site takes answers by mail."""
    if viewer is None or not (pov.is_my_turn and game.turn_since and settings.REPLY_ADDRESS):
        return ""
    every = (one for (results,) in _results_since(viewer.pk, game.turn_since) for one in results)
    return next((one["read"] for one in every if one["code"] == "asked" and one["slug"] == game.slug), "")


@prepared
def _results_since(player: int, began: datetime) -> QuerySet[InboundMail, tuple[Any, ...]]:
    """What was read from the mails that wait, last first. One of an earlier turn would have been refused in this."""
    sent = InboundMail.objects.filter(player=player, received_at__gte=began, outcome__in=WAITS)
    return sent.order_by("-received_at", "-pk").values_list("results")


def _about_taking_back(game: Game, pov: Pov) -> dict[str, Any]:
    """The move that the viewer has just made and may take back, without its founding order, for how long in words, and
    until when in milliseconds since 1970; nothing for anybody else."""
    if not (pov.is_running and pov.last_step and pov.me and pov.me.number is not None):
        return {}
    if not play.may_take_back(game, seat=pov.me.number, at=play.now()):
        return {}
    return {
        "taken_back": str(pov.last_step.move._replace(order=())),
        "take_back_time": say_span(game.call_waits, is_exact=True),
        "take_back_until": round(play.take_back_until(game).timestamp() * 1000),
    }


def _about_open_table(request: HttpRequest, pov: Pov, form: JoinForm, invitations: dict[str, Any]) -> dict[str, Any]:
    """What the page of a table that has not started shows."""
    return {
        **invitations,
        **about_free_seats(pov, kept=invitations["kept"], kept_for_me=invitations["kept_for_me"]),
        "form": form,
        "sample": None if pov.me or pov.ended_at else sample(),
        "link": request.build_absolute_uri(table_url(pov.slug)),
        "can_start": len(pov.seats) > 1,
        "others": [seat for seat in pov.seats if not (seat.is_bot or seat.is_opener)],
        "kept_until": name_moment(pov.due_at) if pov.asks_who_is_ready and pov.due_at else "",
        "closer": next((seat for seat in pov.seats if seat.is_opener), None) if pov.ended_at else None,
        "terms": pace.say_terms(pov.terms) if pov.terms else (),
        "map": pov.ruleset.board.id if len(rules.BOARDS) > 1 else "",
    }


def _about_game(
    pov: Pov,
    position: rules.Position,
    chosen: Mapping[str, str],
    since: int | None,
    *,
    one_tap: bool,
    notes: tuple[side.HistoryNote, ...],
) -> dict[str, Any]:
    draft = read_draft(chosen, position) if pov.is_running and pov.me else NOTHING_CHOSEN
    contents = contents_of(pov, position)
    offer, watched = words.say_offer(pov), news.read_watched(chosen)
    missed = news.missed(pov, since=since, watched=watched)
    others = news.events(pov, since=since, watched=watched)
    happened = news.in_order(missed, others, pov) if since is not None or len(missed) > 1 or others else []
    return {
        **about_play(pov, position, draft, chosen=chosen, contents=contents, notes=notes),
        "goes_with": draft.is_complete and pov.is_my_turn,
        "offer": offer,
        "is_offered": bool(offer),
        "in_series": bool(pov.series),
        "happened": happened,
        "happened_at": max([*(move.at for move in missed), *(event.at for event in others)], default=None),
        "missed": any(part.moves for part in happened),
        "beside": any(part.beside for part in happened),
        "is_stale": since is not None or watched > 0,
        **news.about_mine(pov),
        "board": board_view.draw_table(pov, position, draft, contents=contents, missed=missed, one_tap=one_tap),
        **clock.about_clock(pov),
    }


def _say_rated(pov: Pov) -> str:
    has_left = any(seat.has_resigned or seat.former for seat in pov.seats)
    return say_rated(is_rated=pov.is_rated, has_counted=pov.has_counted, is_over=pov.is_over, has_left=has_left)


def contents_of(pov: Pov, position: rules.Position) -> tuple[str, ...]:
    """What there is in each territory, A1 first; for readers who are not to move, everything that can be told about
    it."""
    if pov.is_my_turn:
        return words.describe_board(position, pov.seats)
    return words.tell_board(position, pov.seats, [move.step for move in pov.moves], is_over=pov.is_over)


def about_play(
    pov: Pov,
    position: rules.Position,
    draft: Draft,
    *,
    chosen: Mapping[str, str],
    contents: tuple[str, ...],
    notes: tuple[side.HistoryNote, ...] = (),
) -> dict[str, Any]:
    """What the page of a started game shows, also of a practice game, except the board. `draft` is what was read of
    `chosen`, `contents` is what `contents_of` says."""
    plain = contents if pov.is_my_turn else words.describe_board(position, pov.seats)
    return {
        "written": chosen.get("move", "")[:40] if draft.refusal else "",
        "turn": words.say_turn(pov),
        "last": choices.last_sentences(pov),
        "card": side.clan_drawn(pov.me.clan) if pov.me and pov.me.clan and not pov.is_over else "",
        "territories": list_territories(
            pov.ruleset.board,
            contents,
            origins=moves_json.origins(position) if pov.is_my_turn else frozenset(),
            has_anchors=not pov.is_my_turn,
        ),
        "moves": moves_json.moves_data(pov, position),
        "pattern": moves_json.PATTERN,
        **(
            side.about_end(pov, at=chosen.get("at", ""))
            if pov.is_over
            else choices.about_draft(pov, position, draft, contents=plain)
        ),
        **side.about_position(pov, position, to_move=pov.mover.number if pov.mover else None, notes=notes),
    }
