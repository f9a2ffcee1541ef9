"""Going round the tables that wait for a player: the nearest deadline first, as on the home page."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.models import Game, Player
from games.pages.forms import for_players


@for_players
@require_safe
def next_table(request: HttpRequest, player: Player) -> HttpResponse:
    """To the table that comes after `?after=SLUG` among those that wait for the reader; home when none does."""
    after = request.GET.get("after", "")
    # No address has another sign, and PostgreSQL takes no null byte.
    left = Game.objects.filter(slug=after).first() if after.isalnum() else None
    following = next_after(left, player)
    if following is None:
        messages.info(request, _("That was the last one: no table waits for you any more."))
        return redirect("home")
    if following == left:
        messages.info(request, _("This is the only table that waits for you."))
    return redirect(following)


def next_after(left: Game | None, player: Player) -> Game | None:
    """The table that waits for `player` and comes after `left`, and at last `left` itself; None when none waits.

    If `left` is as it was when it still waited, the round goes on from its place. Two queries at most.
    """
    waiting = Game.objects.awaiting(player)
    if left is None or left.due_at is None or left.awaited_id != player.pk:
        return waiting.first()
    later = Q(due_at__gt=left.due_at) | Q(due_at=left.due_at, pk__gt=left.pk)
    return waiting.filter(later).first() or waiting.first()
