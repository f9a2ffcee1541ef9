"""The log of notifications to a player's browsers: what was owed, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from games import mail
from games.caching import prepared
from games.clocks import zone_named
from games.models import Player, Webhook, WebhookCall
from games.pages.player.mail_log import fellow_name, log_row
from games.pages.player.mail_words import OwedNotification, Say, StateText
from games.words.times import Sentence, moment_by_day

SHOWN: Final = 30

State = WebhookCall.State


def notification_rows(player: Player, *, at: datetime) -> Iterator[dict[str, Any]]:
    """The last SHOWN notifications of the player, newest first, as the rows of a log show them. A query."""
    here: dict[str, Any] = {"now": at, "zone": zone_named(player.time_zone)}
    for row in _notifications_of(player.pk):
        owed = OwedNotification._make(row)
        state = _say_state(owed, say=partial(moment_by_day, **here), at=at)
        url = reverse("season", args=(owed.season,)) if owed.season else None
        yield log_row(owed, _say_what(owed), state, url=url, **here)


def _say_what(owed: OwedNotification) -> str:
    if owed.is_end:
        return mail.log_end(has_begun=owed.season_began is not None)
    if owed.kind:
        return mail.kind_of(owed.kind).log(mail.Logged(owed.fellow, owed.ply))
    return mail.log_invitation(is_release=bool(owed.is_release))


@prepared
def _notifications_of(player: int) -> QuerySet[WebhookCall, Any]:
    calls = WebhookCall.objects.filter(hook__player=player, hook__kind=Webhook.Kind.PUSH)
    return (
        calls.annotate(
            browser=F("hook__name"),
            slug=Coalesce("seat__game__slug", "invitation__game__slug", Value("")),
            table=Coalesce(
                *("seat__game__name", "invitation__game__name", "invitation__season__name", "season_mail__season__name")
            ),
            fellow=fellow_name(),
            season=Coalesce("season_mail__season__slug", "invitation__season__slug", Value("")),
            is_end=Q(season_mail__isnull=False),
            is_release=F("invitation__is_release"),
            season_began=F("season_mail__season__started_at"),
        )
        .order_by("-created_at", "-pk")
        .values_list(*OwedNotification._fields)[:SHOWN]
    )


def _say_state(owed: OwedNotification, *, say: Say, at: datetime) -> StateText:
    """What became of a notification by `at`; `say` words moments."""
    params: dict[str, Any] = {"browser": owed.browser}
    match owed.state:
        case State.SENT:
            return StateText("done", Sentence(_("Sent to %(browser)s"), params))
        case State.SUPERSEDED:
            return StateText("", Sentence(_("Not sent to %(browser)s: it was no longer needed"), params))
        case State.QUARANTINED:
            params["why"] = str(Webhook.Trouble(owed.error).label) if owed.error else _("it failed again and again")
            return StateText("wrong", Sentence(_("%(browser)s did not get it: %(why)s"), params))
        case State.DUE if owed.due_at > at:
            params["moment"] = say(owed.due_at)
            return StateText("wait", Sentence(_("Goes to %(browser)s %(moment)s"), params))
    return StateText("wait", Sentence(_("On its way to %(browser)s"), params))
