"""The game is over."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games import words
from games.mail import links
from games.mail.kinds import common
from games.mail.kinds.base import BoardPicture, Facts, Link, NoticeKind, WebhookPolicy
from games.models import Game, Notice


def _subject(facts: Facts) -> str:
    winners = facts.pov.winners
    places = {"table": facts.table, "names": words.join_words([seat.name for seat in winners] or [""])}
    if not winners:
        return _("Nobody won: %(table)s") % places
    if facts.mine.has_won and not facts.mine.has_resigned:
        return (_("You share the win: %(table)s") if len(winners) > 1 else _("You won: %(table)s")) % places
    return _("Won by %(names)s: %(table)s") % places


def _notes(facts: Facts) -> tuple[str, ...]:
    is_abandoned = facts.pov.end == Game.End.ABANDONED
    return (
        *common.series_notes(facts, with_totals=True),
        *(common.abandoned_notes(facts) if is_abandoned else ()),
    )


def _other_buttons(facts: Facts) -> tuple[Link, ...]:
    again = Link(_("Play again"), links.again_url(facts.pov.slug))
    # The file of a table by link is for players who are signed in.
    if not (facts.pov.is_public and facts.notice.reader.links_keepsake):
        return (again,)
    return again, Link(_("Keepsake: the game as a file"), links.url("keepsake", facts.pov.slug))


KIND: Final = NoticeKind(
    name=Notice.Kind.FINISHED,
    is_still_true=common.is_always_true,
    sending=common.NEWS_UNLESS_SEEN,
    tells_talk=True,
    subject=_subject,
    lead=lambda facts: f"{words.say_result(facts.pov)} {words.say_end(facts.pov)}",
    notes=_notes,
    summary=lambda facts: f"{words.say_end(facts.pov)} {words.say_result(facts.pov)}",
    button=common.table_button(gettext_lazy("See every move again")),
    other_buttons=_other_buttons,
    stamp=common.end_stamp,
    board=BoardPicture.LARGE,
    webhook=WebhookPolicy(is_called=True),
    log=lambda _logged: _("The game is over"),
)
