"""Turning mail off by the link in a mail, without signing in (RFC 8058)."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from games import mail
from games.models import MailMode

SAYS: Final = {
    mail.Stop: {
        "what": _("No more mails about games"),
        "asks": _("Then no mail calls %(name)s to a table any more, and none tells how a game ended."),
        "done": _("%(name)s gets none from now on. Seats at tables stay as they are."),
        "holds": _("Mail about games is set to “%(mode)s” for %(name)s."),
    },
    mail.CallStop: {
        "what": _("Reminders only"),
        "asks": _("Then no mail calls %(name)s to a turn or tells of a game; one warns before time runs out."),
        "done": _("%(name)s gets a mail only before time runs out from now on, and when others ask for a move."),
        "holds": _("Mail about games is set to “%(mode)s” for %(name)s."),
    },
    mail.ReminderStop: {
        "what": _("No more reminders and nudges"),
        "asks": _("Then mails call %(name)s to each turn as before, but none warns before time runs out."),
        "done": _("%(name)s gets none from now on, but is called to each turn as before."),
        "holds": _("Reminders and nudges are on. Mail about games is set to “%(mode)s” for %(name)s."),
    },
    mail.TableStop: {
        "what": _("No more mails about “%(table)s”"),
        "asks": _("Then no mail calls %(name)s to this table any more, and none warns before time runs out."),
        "done": _("%(name)s gets none about this table from now on. The seat at it stays as it is."),
        "holds": _("Mail about “%(table)s” is set to “%(mode)s” for %(name)s."),
    },
    mail.TalkStop: {
        "what": _("No more mails about the talk at “%(table)s”"),
        "asks": _("Then no mail comes to %(name)s because somebody wrote to this table; calls to turns tell it still."),
        "done": _("%(name)s gets none about this talk from now on. Calls to turns tell what was said."),
        "holds": _("Mails about the talk at “%(table)s” are on for %(name)s."),
    },
}
"""What the page says of what each link turns off: its name, what turning it off would mean, what it means once done,
and what is true once it is undone."""


@csrf_exempt
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """GET asks, POST does it, from the page's button or from that of a mail program; `again` in it undoes it. Both
    forms have the state `before`.

    No CSRF token: mail programs have none, and the signed link is what allows it.
    """
    stop = mail.read_stop_token(token)
    if stop is None:
        return render(request, "games/unsubscribe_unknown.html", status=404)
    is_off, is_back, is_as_before = stop.is_done, "again" in request.POST, False
    before = request.POST.get("before", "")
    if not (before or is_off or is_back):
        before = mail.sign_preferences(stop)
    if is_back:
        is_as_before = mail.resume_mail(stop, before=before, at=timezone.now())
    elif request.method == "POST":
        mail.stop_mail(stop, at=timezone.now())
        is_off = True
    about = {"is_off": is_off, "is_back": is_back, "is_as_before": is_as_before, "before": before}
    about["can_be_undone"] = bool(before) or stop.can_be_undone
    return render(request, "games/unsubscribe.html", about | {"says": _say(stop)})


def _say(stop: mail.Stop) -> dict[str, str]:
    """The sentences of SAYS about what this link turns off."""
    places = {
        "name": stop.player.username,
        "table": stop.seat.game.name if isinstance(stop, mail.TableStop) else "",
        "mode": MailMode(stop.mode_now).label,
    }
    return {key: text % places for key, text in SAYS[type(stop)].items()}
