"""The player's mail: what was owed, what became of each, a test, and another try for an address that took none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from operator import itemgetter
from typing import Any

from django.contrib import messages
from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import mail
from games.caching import prepared
from games.clocks import zone_named
from games.models import FormerHolder, Game, Invitation, Mail, Notice, Player, Season, SeasonMail, Seat
from games.pages.access import table_url
from games.pages.forms import for_players
from games.pages.player.mail_words import (
    NO_NOTICE,
    Owed,
    OwedNotification,
    StateText,
    say_failure,
    say_outlook,
    say_state,
)
from games.pages.replies import SeeOther, done
from games.pages.times import say_when, show_sentence
from games.words.times import Moment, moment_by_day

SHOWN = 100

State = Notice.State


@for_players
@require_safe
def mail_log(request: HttpRequest, player: Player) -> HttpResponse:
    """The last mails that were owed to the player, newest first."""
    at = timezone.now()
    owed = [Owed._make(row) for row in _log_of(player.pk)]
    rows = [*_rows(owed, player, at=at), *_rows_without_notice(player, at=at)]
    about = {
        "rows": sorted(rows, key=itemgetter("at"), reverse=True)[:SHOWN],
        "shown": SHOWN,
        "mode": player.get_mail_mode_display(),
        "outlook": show_sentence(say_outlook(player, at=at)),
        "bounce": say_failure(Mail.Error.RETURNED, player.mail_bounce) if player.mail_bounced_at else "",
    }
    return render(request, "games/mail_log.html", about)


@prepared
def _log_of(player: int) -> QuerySet[Notice, Any]:
    """The last notices of the player of this key, newest first."""
    first = Notice.objects.filter(mail=OuterRef("mail"), pk__lt=OuterRef("pk")).order_by("pk")
    joined = {
        "state_now": Case(When(state=State.DUE, mail__state=Mail.State.CLAIMED, then="mail__state"), default="state"),
        "error": Coalesce("mail__error", Value("")),
        "detail": Coalesce("mail__detail", Value("")),
        "slug": F("seat__game__slug"),
        "table": F("seat__game__name"),
        "fellow": fellow_name(),
        "results": F("inbound_mail__results"),
        "with_kind": Coalesce(Subquery(first.values("kind")[:1]), Value("")),
        "with_table": Coalesce(Subquery(first.values("seat__game__name")[:1]), Value("")),
    }
    columns = Owed._fields[: Owed._fields.index("state")]
    notices = Notice.objects.filter(player=player).order_by("-created_at", "-pk")
    return notices.annotate(**joined).values_list(*columns, *joined)[:SHOWN]


def fellow_name() -> Coalesce:
    """The name, as it was then, of the fellow player whom a row with `seat`, `about` and `created_at` is about; empty
    if it is about nobody."""
    # Before the start, seats have no number but by who joined when.
    seats = Seat.objects.alias(place=Coalesce("number", "joined"))
    fellow = seats.filter(game=OuterRef("seat__game"), place=OuterRef("about")).values("name")
    left = FormerHolder.objects.filter(seat__game=OuterRef("seat__game"), seat__number=OuterRef("about"))
    fellow_then = left.filter(at__gt=OuterRef("created_at")).order_by("at").values("name")[:1]
    return Coalesce(Subquery(fellow_then), Subquery(fellow), Value(""))


def _rows(owed: Iterable[Owed], player: Player, *, at: datetime) -> Iterator[dict[str, Any]]:
    here: dict[str, Any] = {"now": at, "zone": zone_named(player.time_zone)}
    say: Callable[[datetime], Moment] = partial(moment_by_day, **here)
    for one in owed:
        what = mail.kind_of(one.kind).log(mail.Logged(one.about, one.ply, one.results or ()))
        yield log_row(one, what, say_state(one, say=say, at=at), **here)


@prepared
def _season_mails_of(player: int) -> QuerySet[SeasonMail]:
    """The last mails about seasons to the player of this key, newest first."""
    columns = ("state", "error", "created_at", "due_at", "sent_at", "season__slug", "season__name")
    mails = SeasonMail.objects.filter(player=player).select_related("season").order_by("-created_at", "-pk")
    return mails.only(*columns, "season__started_at")[:SHOWN]


@prepared
def _invitations_to(player: int, address: str) -> QuerySet[Invitation]:
    """The last mails of invitations and releases to the player of this key and address, newest first, but for those
    that were not sent or were taken back: they would tell of a table or season that is not for its reader."""
    columns = ("state", "error", "created_at", "due_at", "sent_at", "is_release")
    places = ("game__slug", "game__name", "season__slug", "season__name")
    mails = Invitation.objects.to_name_or_address(player, address).exclude(state=State.SUPERSEDED)
    mails = mails.exclude(answer=Invitation.Answer.WITHDRAWN, is_release=False)
    return mails.select_related("game", "season").only(*columns, *places).order_by("-created_at", "-pk")[:SHOWN]


def _rows_without_notice(player: Player, *, at: datetime) -> Iterator[dict[str, Any]]:
    """The mails about seasons as a whole, and those of invitations and releases: two queries."""
    here: dict[str, Any] = {"now": at, "zone": zone_named(player.time_zone)}
    mails: list[tuple[SeasonMail | Invitation, Season | Game, str]] = [
        (row, row.season, mail.log_end(has_begun=row.season.started_at is not None))
        for row in _season_mails_of(player.pk)
    ]
    mails += (
        (row, row.place, mail.log_invitation(is_release=row.is_release))
        for row in _invitations_to(player.pk, player.email)
    )
    for row, place, what in mails:
        owed = NO_NOTICE._replace(
            reason=Notice.Reason.RETRY if row.error else "",
            created_at=row.created_at,
            due_at=row.due_at,
            sent_at=row.sent_at,
            state=row.state,
            error=row.error,
            table=place.name,
        )
        state = say_state(owed, say=partial(moment_by_day, **here), at=at)
        yield log_row(owed, what, state, url=place.get_absolute_url(), **here)


def log_row(
    owed: Owed | OwedNotification, what: str, state: StateText, *, url: str | None = None, **here: Any
) -> dict[str, Any]:
    """What a row of a log shows; `url` is where its name leads, to its table if it is not given."""
    return {
        "at": owed.created_at,
        "what": what,
        "url": url or table_url(owed.slug),
        "table": owed.table,
        "mark": state.mark,
        "state": show_sentence(state.sentence),
        "more": SafeString(f" {show_sentence(state.more)}") if state.more else "",
        "when": say_when(owed.created_at, **here),
    }


@for_players
def test_mail(request: HttpRequest, player: Player) -> HttpResponse:
    """Send a test mail; the log says what becomes of it. A GET changes nothing and leads there."""
    if request.method != "POST":
        return redirect("mail_log")
    match mail.request_test(player, at=timezone.now()):
        case mail.RequestedTest.OWED:
            messages.success(request, _("A test mail is on its way. What becomes of it stands below."))
        case mail.RequestedTest.TOO_SOON:
            messages.warning(request, _("The last test mail is less than a minute old. Wait a little."))
        case mail.RequestedTest.NO_TABLE:
            messages.warning(request, _("Nothing was sent: a mail is about a table, and you sit at none yet."))
    return SeeOther(reverse("mail_log"))


@for_players
def mail_again(request: HttpRequest, player: Player) -> HttpResponse:
    """Send mail again to a player whose address took none. A GET changes nothing and leads to the log."""
    if request.method != "POST":
        return redirect("mail_log")
    mail.try_again(player, at=timezone.now())
    return done(request, "mail_log", _("We mail you again. Send yourself a test to see whether it arrives."))
