"""Turning mail off by the link in a mail, without signing in (RFC 8058)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games import mail


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """GET asks, POST does it, be it by the page's button or by a mail program's own; `again` in it takes it back.

    No CSRF token: mail programs have none, and the signed link is what allows it.
    """
    stop = mail.read_stop_token(token)
    if stop is None:
        return render(request, "games/unsubscribe_unknown.html", status=404)
    is_off = stop.is_done
    if request.method == "POST":
        is_off = "again" not in request.POST
        (mail.stop_mail if is_off else mail.resume_mail)(stop)
    is_back = request.method == "POST" and not is_off
    return render(request, "games/unsubscribe.html", {"is_off": is_off, "is_back": is_back, "says": _say(stop)})


def _say(stop: mail.Stop) -> dict[str, str]:
    """What the page says of what the link turns off: its name, what it would mean, and what it means once done."""
    places = {"name": stop.player.username, "table": stop.seat.game.name if stop.seat else ""}
    if stop.seat:
        says = {
            "what": _("No more mails about “%(table)s”"),
            "asks": _("Then no mail calls %(name)s to this table any more, and none warns before time runs out."),
            "done": _("%(name)s gets none about this table from now on. The seat at it stays as it is."),
        }
    elif stop.is_nag:
        says = {
            "what": _("No more reminders and nudges"),
            "asks": _("Then mails call %(name)s to each turn as before, but none warns before time runs out."),
            "done": _("%(name)s gets none from now on, but is called to each turn as before."),
        }
    elif stop.scope == "kind":
        says = {
            "what": _("Reminders only"),
            "asks": _("Then no mail calls %(name)s to a turn or tells of a game; one warns before time runs out."),
            "done": _("%(name)s gets a mail only before time runs out from now on, and when others ask for a move."),
        }
    else:
        says = {
            "what": _("No more mails about games"),
            "asks": _("Then no mail calls %(name)s to a table any more, and none tells how a game ended."),
            "done": _("%(name)s gets none from now on. Seats at tables stay as they are."),
        }
    return {key: text % places for key, text in says.items()}
