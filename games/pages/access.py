"""What views of a table ask first: who looks, at which game or season, where its page is, which seats are free."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any, Final
from urllib.parse import quote, urlencode

from django.contrib.auth.middleware import get_user
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules
from games.caching import prepared
from games.models import Game, Player, Season, Seat
from games.pov import DrawnPlayer, Pov, SeatPov, look

IMPORTED: Final = " (imported)"
"""What follows the name of a person of imported games in a search: whoever has an account by that name is somebody
else."""
BETWEEN_NAMES: Final = ",;"
"""Signs between the names of a search."""


class Missing(Http404):
    """There is no page at an address, for a `reason` that its reader is told: a sentence in the active language."""

    @property
    def reason(self) -> str:
        return str(self)


def no_table() -> Http404:
    """The answer to an address without a table, and to whoever may not know of the one there."""
    return Missing(
        _("There is no table here. The link may be old or mistyped, or the table was closed before it started.")
    )


def not_so_far() -> Http404:
    """The answer to the address of a ply that was not played."""
    return Missing(_("This game has not had so many moves."))


def game_of(slug: str) -> Game:
    """The game of a table's address, with its deal; raises Http404. One query."""
    if found := _game_and_deal(slug):
        return found[0]
    raise no_table()


@prepared
def _game_and_deal(slug: str) -> QuerySet[Game]:
    return Game.objects.select_related("deal", "imported", "series", "season_table__round__season").filter(slug=slug)


def season_of(slug: str) -> Season:
    """The season of an address; raises Http404. One query."""
    found = Season.objects.filter(slug=slug).select_related("opener").first()
    if found is None:
        raise Missing(_("There is no season at this address."))
    return found


def find_seat(game: Game, player: Player) -> Seat | None:
    """The seat that the player plays, without its card. One query."""
    found = _seats_of(game.pk, player.pk)
    return found[0] if found else None


@prepared
def _seats_of(game: int, player: int) -> QuerySet[Seat]:
    return Seat.objects.defer("clan", "entropy").filter(game=game, player=player, is_bot=False)


def viewer_of(request: HttpRequest) -> Player | None:
    """The player who looks; None for a visitor."""
    if isinstance(request.user, SimpleLazyObject):
        # Once we know, nobody need look again at each attribute.
        request.user = get_user(request)
    return request.user if isinstance(request.user, Player) else None


def has_or_had_seat(game: Game, player: Player) -> bool:
    """Whether the player has a seat, or had one that somebody else has now. One query."""
    return game.seats.filter(Q(player=player) | Q(former_holders__player=player)).exists()


def may_see_pictures(request: HttpRequest, game: Game) -> bool:
    """Whether the viewer gets pictures of the game: everybody does for a public game; else only players who have, or
    had, a seat.

    For a public game no player is looked up, so that browsers and proxies may cache its pictures for all.
    """
    if game.is_public:
        return True
    viewer = viewer_of(request)
    return viewer is not None and has_or_had_seat(game, viewer)


def may_share(pov: Pov) -> bool:
    """Whether a game that is over is offered to its reader to hand on: as with pictures, a table that is open by link
    only is handed on by its players."""
    return pov.is_over and (pov.is_public or pov.is_player)


def look_at(slug: str, ply: int, *, viewer: Player | None) -> tuple[Game, Pov, rules.Position]:
    """A game as it stood at `ply`; raises Http404 before the start and beyond the last move."""
    game = game_of(slug)
    try:
        pov = look(game, viewer=viewer, ply=ply)
    except IndexError as error:
        raise not_so_far() from error
    if pov.position is None:
        raise Missing(_("This game has not started."))
    return game, pov, pov.position


def about_free_seats(pov: Pov, *, kept: int, kept_for_me: bool) -> dict[str, Any]:
    """The seats of an open table that nobody has: how many are free for the viewer (one of them may be kept for them),
    and how many are `kept` for others. Taking the last one starts the game."""
    left = pov.size - len(pov.seats)
    free = max(0, left - kept)
    is_kept = kept_for_me and free > 0
    return {
        "free": free,
        "is_kept": is_kept,
        "free_seats": range(free - is_kept),
        "kept_seats": range(left - free),
        "is_last": free > 0 and left == 1,
    }


def player_url(name: str) -> str:
    """The address of a player's page, made from the name as a table has it."""
    return _pattern("player", "NAME").replace("NAME", quote(name))


def link_player(name: str, *, has_page: bool = True) -> SafeString:
    """A name as a link to its player's page; the name alone where there is none."""
    return SafeString(f'<a class="who" href="{player_url(name)}">{escape(name)}</a>' if has_page else escape(name))


def link_in_text(name: str, *, has_page: bool) -> SafeString:
    """The same in the middle of a sentence, where a link is no larger than its words."""
    return SafeString(f'<a href="{player_url(name)}">{escape(name)}</a>' if has_page else escape(name))


def link_seat(seat: SeatPov) -> SafeString:
    """The name of a seat, as a link to its player's page if there is one, or to the games of a person of imported ones:
    `{% link_seat seat %}` in templates."""
    return link_imported(seat.name) if seat.is_found_by_name else link_player(seat.name, has_page=seat.has_page)


def link_imported(name: str) -> SafeString:
    """The name of a person of imported games as a link to the search that finds these; the name alone where it has a
    comma, by which a search tells names apart."""
    if {*name} & {*BETWEEN_NAMES}:
        return SafeString(escape(name))
    query = urlencode({"player": f"{name}{IMPORTED}"})
    return SafeString(f'<a class="who" href="{_pattern("archive")}?{query}" rel="nofollow">{escape(name)}</a>')


def link_drawn(player: DrawnPlayer) -> SafeString:
    """The same of a player in a deal: `{% link_drawn player %}`."""
    return link_player(player.name, has_page=player.has_page)


def table_url(slug: str) -> str:
    """The address of a table; Django resolves it once for all tables, because lists have dozens."""
    return _pattern("table", "SLUG").replace("SLUG", slug)


def ply_url(slug: str, ply: int, viewpoint: str = "") -> str:
    """The address of a ply, and of a `viewpoint` of it: `public/`, `seat/1/`, or nothing for all revealed."""
    return f"{table_url(slug)}ply/{ply}/{viewpoint}"


@cache
def _pattern(page: str, *parts: str) -> str:
    return reverse(page, args=parts)
