"""The test that a player has asked for."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail.kinds import common
from games.mail.kinds.base import BoardPicture, Facts, NoticeKind
from games.models import Notice


def _notes(_facts: Facts) -> tuple[str, ...]:
    return (_("You have asked for it. Where the picture is missing, your mail program hides it until you allow it."),)


KIND: Final = NoticeKind(
    name=Notice.Kind.TEST,
    is_still_true=common.is_always_true,
    sending=common.ON_REQUEST,
    subject=common.say(gettext_lazy("A test: mail from Clans reaches you")),
    lead=lambda facts: _("This is how mails from here look, %(name)s.") % {"name": facts.mine.name},
    notes=_notes,
    summary=common.say(gettext_lazy("Nothing is asked of you.")),
    button=common.table_button(gettext_lazy("Go to the table")),
    stamp=common.move_stamp,
    board=BoardPicture.LARGE_WITH_BEFORE,
    push_title=lambda _facts: _("A test: Clans by mail reaches you here"),
    push_body=common.say(gettext_lazy("Nothing is asked of you.")),
    log=lambda _logged: _("Test mail"),
)
