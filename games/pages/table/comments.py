"""What the players of a game that is over say about its moves: postcards, shown where the move is."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from games import play, rules
from games.limits import POSTCARDS
from games.models import Game, Player
from games.pages.access import look_at, may_share, ply_url
from games.pages.counting import refused
from games.pages.forms import PostcardForm, first_error, unsent_at
from games.pages.replies import INCOMPLETE, TOO_OFTEN, SeeOther
from games.pages.table.actions import MANY_POSTCARDS, action, sign_in_at
from games.pages.table.embed import embed_code
from games.pages.table.one_ply import about_ply
from games.pages.table.talk import list_postcards, say_readers
from games.pages.table.viewpoints import list_viewpoints
from games.pov import Pov, read_comments


@dataclass(frozen=True, slots=True)
class Comments:
    """What was said about a move, as list items, and whether the viewer may say something; `refusal` says why what they
    have `written` was not sent. `moves` are the plies of all moves that something is said about."""

    cards: SafeString
    may_write: bool
    readers: str
    action: str
    moves: frozenset[int]
    refusal: str = ""
    written: str = ""

    @property
    def is_shown(self) -> bool:
        return bool(self.cards) or self.may_write


def comments_of(game: Game, pov: Pov, *, viewer: Player | None, refusal: str = "", written: str) -> Comments:
    """What was said about the last move that `pov` shows. One query, none where nothing was said at the table."""
    is_late = play.is_talk_over(pov.status, pov.ended_at, at=timezone.now())
    may_write = pov.me is not None and pov.is_over and pov.ply > 0 and not is_late
    cards = read_comments(game, pov, viewer=viewer)
    return Comments(
        cards=list_postcards([card for card in cards if card.about == pov.ply], pov),
        may_write=may_write,
        readers=say_readers(pov),
        action=reverse("comment", args=(pov.slug, pov.ply)),
        moves=frozenset(card.about for card in cards if card.about and card.text),
        refusal=refusal,
        written=written,
    )


def unsent_comment(request: HttpRequest) -> str:
    """What the reader wanted to say about the ply of this page before they had to sign in."""
    return unsent_at(request, request.path).get("say", "")


def _write(request: HttpRequest, game: Game, player: Player, ply: int) -> HttpResponse:
    """Say something about the move that led to `ply`. If it is refused, the form of that page keeps what was
    written."""
    form = PostcardForm(request.POST)
    if not game.seats.filter(player=player).exists():
        raise play.NoSuchSeat
    if not game.is_over or not 1 <= ply <= game.ply:
        raise play.NothingToComment
    if not form.is_valid():
        return _show(request, game.slug, ply, player, refusal=first_error(form), status=INCOMPLETE)
    if refused(POSTCARDS, request, person=player.pk):
        return _show(request, game.slug, ply, player, refusal=str(MANY_POSTCARDS), status=TOO_OFTEN)
    play.write_postcard(game, player=player, text=form.cleaned_data["say"], about=ply, at=timezone.now())
    return SeeOther(f"{ply_url(game.slug, ply)}#comments")


comment = action(_write, for_visitors=lambda request, game, ply: sign_in_at(request, ply_url(game.slug, ply)))


def _show(request: HttpRequest, slug: str, ply: int, player: Player, *, refusal: str, status: int) -> HttpResponse:
    game, pov, position = look_at(slug, ply, viewer=player)
    written = request.POST.get("say", "")
    comments = comments_of(game, pov, viewer=player, refusal=refusal, written=written)
    return show_ply(request, pov, position, comments, status=status)


def show_ply(
    request: HttpRequest, pov: Pov, position: rules.Position, comments: Comments, *, status: int = 200
) -> HttpResponse:
    """The page of a ply, all revealed, with what was said about its move."""
    about = {
        "viewpoints": list_viewpoints(pov) if pov.is_over else [],
        "comments": comments,
        "link": settings.SITE_URL + ply_url(pov.slug, pov.ply),
        "may_share": may_share(pov),
        "embed_code": embed_code(pov),
    }
    about |= about_ply(pov, position, commented=comments.moves)
    response = render(request, "games/replay.html", about, status=status)
    if comments.cards and pov.talk == Game.Talk.PLAYERS:
        # As on the table's page: it is not for whoever sits down at this browser next.
        response["Cache-Control"] = "private, no-store"
    return response
