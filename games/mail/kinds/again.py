"""A fellow player of a finished game has opened a table to play again."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _, gettext_lazy

from games import words
from games.mail import links
from games.mail.kinds import common
from games.mail.kinds.base import Facts, Link, NoticeKind
from games.models import Game, Notice, Player, free_seats
from games.words import pace, summary


def _tables(notice: Notice) -> QuerySet[Game]:
    """The open tables that follow the game and at which the reader does not sit yet, newest first; none of somebody
    whom the reader has blocked."""
    after = Game.objects.filter(follows=notice.seat.game, status=Game.Status.OPEN)
    blocked = Player.objects.blocked_by(notice.reader.pk)
    return after.exclude(seats__player=notice.reader).exclude(opener__in=blocked).order_by("-pk")


def _is_still_true(notice: Notice) -> bool:
    """Whether a seat waits for the reader, who has not blocked whoever asks. Two queries."""
    return _tables(notice).exists() and not common.is_from_blocked(notice)


def _notes(facts: Facts) -> tuple[str, ...]:
    """The table that waits: its name, who sits there, how many seats are free for the reader, how fast it plays."""
    table = _tables(facts.notice).first()
    if table is None:
        return ()
    seated = list(table.seats.order_by("joined").values_list("name", flat=True))
    free = free_seats(table, at=facts.at, but_for=facts.notice.reader)
    sits = _("Seated so far at %(table)s: %(names)s.") % {
        "table": words.one_line(table.name),
        "names": words.join_words(seated),
    }
    return f"{sits} {summary.tell_seats_free(free)}", _("%(pace)s.") % {
        "pace": pace.say_pace(table.move_hours, table.reserve_hours)
    }


def _button(facts: Facts) -> Link:
    """To the table that waits, or to the finished game once none does."""
    table = _tables(facts.notice).first()
    return Link(_("Look and sit down"), links.url("table", table.slug if table else facts.pov.slug))


KIND: Final = NoticeKind(
    name=Notice.Kind.AGAIN,
    is_still_true=_is_still_true,
    sending=common.NEWS,
    subject=common.say(gettext_lazy("%(name)s asks you to play again: %(table)s")),
    lead=common.say(gettext_lazy("%(name)s has opened a table to play again.")),
    notes=_notes,
    button=_button,
    stamp=common.end_stamp,
    log=lambda logged: _("%(name)s asks you to play again") % {"name": common.name_fellow(logged.about)},
)
