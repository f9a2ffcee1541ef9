"""What was said at the table, to those who have heard of none of it since they were there."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from games import words
from games.mail.kinds import common
from games.mail.kinds.base import Answers, Facts, NoticeKind, StoppedBy, WebhookPolicy
from games.models import Game, Notice, TurnToken

SHORT: Final = 120
"""Letters of a postcard that stand in a list of mails."""


def _subject(facts: Facts) -> str:
    names = list(dict.fromkeys(postcard.name for postcard in facts.talk))
    if not names:
        return _("Talk: %(table)s") % {"table": facts.table}
    return _("%(names)s: a postcard from %(table)s") % {"names": words.join_words(names), "table": facts.table}


def _lead(facts: Facts) -> str:
    count = len(facts.talk)
    if not count:
        return _("There is talk at your table.")
    said = ngettext(
        "There is a postcard that you have not read.", "There are %(count)d postcards that you have not read.", count
    )
    return said % {"count": count}


def _summary(facts: Facts) -> str:
    """The last postcard, in one line."""
    if not facts.talk:
        return _lead(facts)
    line = words.quote_postcard(facts.talk[-1])
    return line if len(line) <= SHORT else f"{line[: SHORT - 1]}…"


KIND: Final = NoticeKind(
    name=Notice.Kind.POSTCARD,
    is_still_true=lambda notice: notice.seat.game.status != Game.Status.CLOSED,
    sending=common.NEWS_UNLESS_SEEN,
    is_seen=lambda notice: notice.seat.heard >= notice.seat.called_to_talk,
    left_out_beside=Notice.Kind.TURN,
    stopped_by=StoppedBy.TALK,
    tells_talk=True,
    subject=_subject,
    lead=_lead,
    notes=common.no_notes,
    summary=_summary,
    button=common.table_button(gettext_lazy("To the table")),
    stamp=common.move_stamp,
    answers=Answers(use=TurnToken.Use.TALK, seats=lambda notice: {1: notice.seat}),
    push_body=_summary,
    webhook=WebhookPolicy(is_called=True, waits_for_presence=True, has_talk=True),
    log=lambda logged: _("A postcard from %(name)s") % {"name": common.name_fellow(logged.about)},
)
