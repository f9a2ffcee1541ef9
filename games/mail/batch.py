"""From what is owed to the mail that carries it: all that is due to one reader goes as one mail.

A mail's row exists, leased, before it is rendered, so that a death of its sender is counted; its content is stored
before it is sent, so that it can be sent again as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Subquery

from games import outbox
from games.caching import prepared
from games.mail.kinds import kind_of, kinds_that
from games.mail.plan import Verdict, decide
from games.mail.transport.connection import DETAIL_LENGTH
from games.models import CONTENT, Mail, Notice, Player, empty_content

LEASE: Final = timedelta(seconds=settings.MAIL_LEASE_SECONDS)
"""Longer than a mail can take: about ten answers of the server, each within EMAIL_TIMEOUT."""
RETENTION: Final = timedelta(days=14)
"""How long the content of a mail is stored that is not sent any more."""

ALONE: Final = kinds_that(lambda kind: kind.sending.goes_alone)
NOTHING_LEFT: Final = Notice.Reason.PAST
"""Why a mail is dropped that tells nothing any more."""

State = Mail.State


def due_with(pk: int, *, at: datetime) -> list[Notice]:
    """The notice of that key with all that is due to its reader and in no mail yet, longest due first; empty if it is
    not among them. Some kinds go alone, such as a test. A query."""
    due = _due_with(pk, at)
    asked = [notice for notice in due if notice.pk == pk]
    if not asked or kind_of(asked[0].kind).sending.goes_alone:
        return asked
    return [notice for notice in due if notice.kind not in ALONE]


@prepared
def _due_with(pk: int, at: datetime) -> QuerySet[Notice]:
    reader = Notice.objects.filter(pk=pk).values("player")
    return Notice.objects.waiting(at).loaded().filter(player=Subquery(reader))


def sort_out(notices: Sequence[Notice], *, at: datetime, mail: Mail | None = None) -> list[Notice]:
    """Of `notices` those that go now; the others are put off or dropped, and leave the `mail` that they are in."""
    going = []
    for notice in notices:
        verdict = decide(notice, at=at)
        if verdict.goes:
            going.append(notice)
        else:
            _settle(notice, verdict, mail)
    return going


def _settle(notice: Notice, verdict: Verdict, mail: Mail | None) -> None:
    notice.state, notice.reason, notice.mail = _state_by(verdict), verdict.reason, None
    notice.due_at = verdict.until or notice.due_at
    still = Notice.objects.filter(pk=notice.pk, state=Notice.State.DUE)
    still = still.filter(mail=mail, mail__claim=mail.claim) if mail else still.filter(mail__isnull=True)
    still.update(state=notice.state, reason=notice.reason, due_at=notice.due_at, mail=None)


def _state_by(verdict: Verdict) -> Notice.State:
    return Notice.State.SUPERSEDED if verdict.is_dropped else Notice.State.DUE


def make(notices: Sequence[Notice], *, at: datetime) -> Mail | None:
    """A mail of these, leased to the caller, not rendered yet; None if another sender has taken one of them."""
    player = _reader(notices)
    mail = Mail(player=player, created_at=at, due_at=at, message_id=_new_id(), **outbox.new_claim(at=at, lease=LEASE))
    with transaction.atomic():
        mail.save(force_insert=True)
        if take_along(mail, notices) == len(notices):
            return mail
        transaction.set_rollback(True)
    return None


def take_along(mail: Mail, notices: Sequence[Notice]) -> int:
    """Put these notices into `mail`. Returns how many were free: in no other mail, and still due."""
    free = Notice.objects.filter(pk__in=[one.pk for one in notices], state=Notice.State.DUE, mail__isnull=True)
    return free.update(mail=mail)


def _reader(notices: Sequence[Notice]) -> Player:
    return notices[0].reader


def _new_id() -> str:
    return make_msgid(domain=settings.MAIL_DOMAIN)


def claim(pk: int, *, at: datetime) -> Mail | None:
    """The mail of that key, leased to the caller; None if it is not due or another sender has it."""
    rows = Mail.objects.select_related("player").defer("player__password")
    return outbox.claim(rows, pk, at=at, lease=LEASE)


def notices_in(mail: Mail) -> list[Notice]:
    """The notices that the mail contains, as they are now, longest due first. A query."""
    return _notices_in(mail.pk)


@prepared
def _notices_in(mail: int) -> QuerySet[Notice]:
    covered = Notice.objects.loaded().filter(mail=mail, state=Notice.State.DUE)
    return covered.order_by("due_at", "pk")


def more_for(mail: Mail, *, at: datetime) -> list[Notice]:
    """What has become due to the reader of a mail since it was made; it goes along from now on."""
    due = _due_to(mail.player_id, at)
    going = sort_out(due, at=at)
    taken = take_along(mail, going) if going else 0
    # Another sender may have been faster with some.
    return going if taken == len(going) else [one for one in notices_in(mail) if one in going]


@prepared
def _due_to(player: int, at: datetime) -> QuerySet[Notice]:
    due = Notice.objects.waiting(at).loaded().filter(player=player)
    return due.exclude(kind__in=ALONE)


def whole_verdict(notices: Sequence[Notice], *, at: datetime) -> Verdict:
    """The verdict on a mail that goes whole or not at all: it is enough that a part of it would go, or wait."""
    verdicts = [decide(notice, at=at) for notice in notices]
    return min(verdicts, key=lambda verdict: (not verdict.goes, verdict.is_dropped), default=Verdict(NOTHING_LEFT))


def keep_content(mail: Mail) -> bool:
    """Store what the mail says before it is sent; False when the claim has been lost."""
    held = Mail.objects.filter(pk=mail.pk, claim=mail.claim, state=State.CLAIMED)
    return held.update(dated_at=mail.dated_at, **{name: getattr(mail, name) for name in CONTENT}) > 0


# --- What became of it ----------------------------------------------------------------------------


def stamp_sent(mail: Mail, *, at: datetime) -> bool:
    """Note that the mail went out, and what it told; False, and nothing changed, when the claim has been lost."""
    with transaction.atomic():
        if not _stamp_mail(mail.pk, mail.claim, at):
            return False
        _stamp_notices(mail.pk, at)
    return True


@prepared
def _stamp_mail(pk: int, token: str, at: datetime) -> tuple[QuerySet[Mail], dict[str, Any]]:
    sent = {"state": State.SENT, "sent_at": at, "error": "", "detail": "", "claim": "", "lease_until": None}
    return Mail.objects.filter(pk=pk, claim=token, state=State.CLAIMED), {**sent, **empty_content()}


@prepared
def _stamp_notices(mail: int, at: datetime) -> tuple[QuerySet[Notice], dict[str, Any]]:
    covered = Notice.objects.filter(mail=mail, state=Notice.State.DUE)
    return covered, {"state": Notice.State.SENT, "sent_at": at, "reason": ""}


def supersede(mail: Mail, verdict: Verdict) -> bool:
    """Drop the mail and what it tells; False when the claim has been lost."""
    return _end(mail, State.SUPERSEDED, notices={"reason": verdict.reason}, **empty_content())


def put_off(mail: Mail, verdict: Verdict) -> bool:
    """Let the mail wait as it stands until its reader wants it; False when the claim has been lost."""
    wait = {"due_at": verdict.until}
    return _end(mail, State.DUE, notices={"reason": verdict.reason, **wait}, **wait)


def hand_back(mail: Mail) -> bool:
    """Let the mail be due as it was; False when the claim has been lost."""
    return outbox.release(mail, State.DUE)


def drop_empty(mail: Mail) -> None:
    """Remove a mail of which nothing is left to tell; one that may be out stays, because it may bounce."""
    if mail.may_be_out:
        outbox.release(mail, State.SUPERSEDED)
    else:
        Mail.objects.filter(pk=mail.pk, claim=mail.claim, state=State.CLAIMED).delete()


def retry(mail: Mail, *, until: datetime, error: str, detail: str, is_out: bool) -> bool:
    """Let the mail be due again, and count the attempt; False when the claim has been lost. It goes again as it stands
    if it `is_out` perhaps, else it is rendered again."""
    again: dict[str, Any] = {} if is_out else {"dated_at": None, **empty_content()}
    with transaction.atomic():
        if not outbox.retry(mail, until=until, error=error, detail=detail[:DETAIL_LENGTH], **again):
            return False
        _due(mail).update(due_at=until, reason=Notice.Reason.RETRY)
    return True


def quarantine(mail: Mail, *, at: datetime, error: str, detail: str = "", reason: str = "") -> bool:
    """Set the mail aside with what it tells; False when the claim has been lost."""
    with transaction.atomic():
        if not outbox.quarantine(mail, at=at, lease=LEASE, error=error, detail=detail[:DETAIL_LENGTH]):
            return False
        until = Mail.objects.values_list("due_at", flat=True).get(pk=mail.pk)
        _due(mail).update(state=Notice.State.QUARANTINED, reason=reason, due_at=until)
    return True


def split(mail: Mail, notices: Sequence[Notice], *, at: datetime) -> bool:
    """Let each of the notices have a mail of its own, instead of one whose senders died: that way the others go. One
    more death sets such a mail aside. False when the claim has been lost."""
    with transaction.atomic():
        if not outbox.release(mail, State.SUPERSEDED, error=Mail.Error.CRASHED):
            return False
        for notice in notices:
            alone = Mail.objects.create(
                player=_reader(notices),
                created_at=at,
                due_at=at,
                message_id=_new_id(),
                crashes=outbox.MAX_CRASHES - 1,
                error=Mail.Error.CRASHED,
            )
            Notice.objects.filter(pk=notice.pk, mail=mail).update(mail=alone, due_at=at)
    return True


def retry_quarantined(*, at: datetime) -> int:
    """Give another chance to mails whose senders died, if their time has come; how many."""
    with transaction.atomic():
        keys = outbox.retry_quarantined(Mail.objects.all(), at=at)
        if keys:
            aside = Notice.objects.filter(mail__in=keys, state=Notice.State.QUARANTINED)
            aside.update(state=Notice.State.DUE, reason="")
    return len(keys)


def forget_content(*, at: datetime) -> int:
    """Empty the mails of long ago that nobody sends any more; how many."""
    over = Mail.objects.filter(state__in=(State.SUPERSEDED, State.QUARANTINED), created_at__lt=at - RETENTION)
    return over.exclude(address="").update(**empty_content())


def _end(mail: Mail, state: Mail.State, *, notices: dict[str, Any], **fields: Any) -> bool:
    """Release the mail, and change what it tells in the same way."""
    with transaction.atomic():
        if not outbox.release(mail, state, **fields):
            return False
        _due(mail).update(state=state, **notices)
    return True


def _due(mail: Mail) -> QuerySet[Notice]:
    return Notice.objects.filter(mail=mail, state=Notice.State.DUE)
