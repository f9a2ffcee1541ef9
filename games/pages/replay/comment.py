"""Saying something about a move of a game that is over: what is refused stays on the page of that move."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from games import play
from games.limits import POSTCARDS
from games.models import Game, Player
from games.pages.access import look_at, ply_url
from games.pages.counting import refused
from games.pages.forms import PostcardForm, first_error
from games.pages.replay.page import about_page
from games.pages.replies import INCOMPLETE, TOO_OFTEN, SeeOther
from games.pages.table.comments import comments_of
from games.pages.table.verbs import MANY_POSTCARDS, verb


def comment(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """Say something about the move that led to `ply`. What cannot be sent stays in the form of that page."""

    @verb
    def write(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
        form = PostcardForm(request.POST)
        if not game.seats.filter(player=player).exists():
            raise play.NoSuchSeat
        if not game.is_over or not 1 <= ply <= game.ply:
            raise play.NothingToComment
        if not form.is_valid():
            return _show(request, slug, ply, player, refusal=first_error(form), status=INCOMPLETE)
        if refused(POSTCARDS, request, person=player.pk):
            return _show(request, slug, ply, player, refusal=str(MANY_POSTCARDS), status=TOO_OFTEN)
        play.write_postcard(game, player=player, text=form.cleaned_data["say"], about=ply, at=timezone.now())
        return SeeOther(f"{ply_url(slug, ply)}#comments")

    return write(request, slug)


def _show(request: HttpRequest, slug: str, ply: int, player: Player, *, refusal: str, status: int) -> HttpResponse:
    game, seen, position = look_at(slug, ply, viewer=player)
    written = request.POST.get("say", "")
    comments = comments_of(game, seen, viewer=player, refusal=refusal, written=written)
    return render(request, "games/replay.html", about_page(seen, position, comments), status=status)
