"""What every page says about its reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from games.models import Player, Report, count_waiting


def waiting_count(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """How many tables wait for the reader, 0 for visitors. On GET the count comes with the player's row
    (`Door.get_user`); after a POST it costs a query by index."""

    @cache
    def count() -> int:
        # Pages about errors also answer requests that never came as far as to have a user.
        viewer = getattr(request, "user", None)
        if not isinstance(viewer, Player):
            return 0
        waiting = getattr(viewer, "waiting", None) if request.method in ("GET", "HEAD") else None
        return sum(count for (count,) in count_waiting(viewer.pk)) if waiting is None else int(waiting)

    return {"waiting_count": count}


def new_reports(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """How many reports nobody has looked at, for staff who deal with them; 0 for everybody else, without a query. No
    mail tells of a report."""

    def count() -> int:
        viewer = getattr(request, "user", None)
        if not (isinstance(viewer, Player) and viewer.is_staff and viewer.has_perm("games.change_report")):
            return 0
        return Report.objects.filter(state=Report.State.NEW).count()

    return {"new_reports": count}
