"""How many tables and seasons one player may open, and how often. One form sent twice, with the same key, opens one."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.forms import Form
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext_lazy

from games.limits import COMPUTER_GAMES, DAY, OPEN_TABLES, RUNNING_GAMES, SEASONS, TABLES, UNFINISHED_SEASONS, Rate
from games.models import Game, Player, Season

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

_OPEN = ngettext_lazy(
    "You have %(count)s open table, which is as many as one player may have. Start or close it.",
    "You have %(count)s open tables, which is as many as one player may have. Start or close one.",
    "count",
)
_RUNNING = ngettext_lazy(
    "%(count)s game that you opened is still running. Finish it before you open another.",
    "%(count)s games that you opened are still running. Finish one before you open another.",
    "count",
)
_ALONE = ngettext_lazy(
    "You play %(count)s game against computer players alone. Finish it before you open another.",
    "You play %(count)s games against computer players alone. Finish one before you open another.",
    "count",
)
_IN_AN_HOUR = gettext_lazy("You have opened %(count)s tables in an hour. Wait a little before you open another.")
_IN_A_DAY = gettext_lazy("You have opened %(count)s tables in a day. Open another tomorrow.")
_UNFINISHED_SEASONS = ngettext_lazy(
    "You have opened %(count)s season that is not over, which is as many as one player may have.",
    "You have opened %(count)s seasons that are not over, which is as many as one player may have.",
    "count",
)
_SEASONS_IN_A_DAY = ngettext_lazy(
    "You have opened %(count)s season in a day. Open another tomorrow.",
    "You have opened %(count)s seasons in a day. Open another tomorrow.",
    "count",
)


def key_of(form: Form) -> str:
    """The key of a valid form that opens a table or a season."""
    return sha256(repr(sorted(form.cleaned_data.items())).encode()).hexdigest()


def check_tables(player: Player, *, key: str, is_alone: bool) -> None:
    """Raise ValidationError when `player` has opened too many tables lately, or more than anybody can look after;
    `is_alone` says that computer players have all other seats of the new one."""
    opened = Game.objects.filter(opener=player).exclude(key=key)
    for rate in TABLES.rates:
        lately = opened.filter(created_at__gt=timezone.now() - timedelta(seconds=rate.seconds))
        _check(lately, rate, _IN_A_DAY if rate.seconds == DAY else _IN_AN_HOUR)
    running = opened.filter(status=Game.Status.RUNNING)
    _check(opened.filter(status=Game.Status.OPEN), OPEN_TABLES.rates[0], _OPEN)
    _check(running, RUNNING_GAMES.rates[0], _RUNNING)
    if is_alone:
        _check(running.annotate(people=Count("seats__player")).filter(people=1), COMPUTER_GAMES.rates[0], _ALONE)


def check_seasons(player: Player, *, key: str) -> None:
    """Raise ValidationError when `player` has opened too many seasons."""
    opened = Season.objects.filter(opener=player).exclude(key=key)
    _check(opened.exclude(status=Season.Status.OVER), UNFINISHED_SEASONS.rates[0], _UNFINISHED_SEASONS)
    [rate] = SEASONS.rates
    lately = opened.filter(created_at__gt=timezone.now() - timedelta(seconds=rate.seconds))
    _check(lately, rate, _SEASONS_IN_A_DAY)


def _check(found: QuerySet[Any], rate: Rate, refusal: StrPromise) -> None:
    if found.count() >= rate.amount:
        raise ValidationError(refusal, params={"count": rate.amount})
