"""Closing an account: a page that asks, and one that says that it is done."""

from __future__ import annotations

from collections.abc import Iterable

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import play, rules
from games.models import Deal, Game, Player, Postcard
from games.pages.access import table_url
from games.pages.forms import for_players
from games.pages.replies import SeeOther


@for_players
@reauthentication_required  # type: ignore[untyped-decorator]
def close_account(request: HttpRequest, player: Player) -> HttpResponse:
    """What closing the account means, and closing it: only for a player who has just confirmed their identity again."""
    if request.method == "POST":
        play.close_account(player, keeps_words=request.POST.get("words") == "keep", at=play.now())
        logout(request)
        return SeeOther(reverse("account_closed"))
    return render(request, "games/close_account.html", _page(player))


def _links(games: Iterable[Game]) -> list[tuple[str, str]]:
    """Tables by their address and name."""
    return [(table_url(game.slug), game.name) for game in games]


def _page(player: Player) -> dict[str, object]:
    """What the page shows. 4 queries."""
    playing = list(play.tables_to_leave(player))
    waiting = [game for game in playing if game.status == Game.Status.OPEN]
    return {
        "running": _links(game for game in playing if game.is_running),
        "own": _links(game for game in waiting if game.opener_id == player.pk),
        "others": _links(game for game in waiting if game.opener_id != player.pk),
        "has_words": player.seats.filter(postcards__state=Postcard.State.SHOWN).exists(),
        "name": play.former_name(player),
        "old_deals": Deal.objects.filter(
            game__seats__player=player, game__started_at__isnull=False, version=rules.FIRST_DEAL_VERSION
        ).exists(),
    }


@require_safe
def account_closed(request: HttpRequest) -> HttpResponse:
    """The page that follows when the account is closed."""
    return redirect("home") if request.user.is_authenticated else render(request, "account/closed.html")
