"""Turning mail off by the link in a mail, without signing in (RFC 8058)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games import mail
from games.models import MailMode


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """GET asks, POST does it, be it by the page's button or by a mail program's own.

    No CSRF token: mail programs have none, and the signed link is what allows it.
    """
    stop = mail.read_stop_token(token)
    if stop is None:
        return render(request, "games/unsubscribe_unknown.html", status=404)
    if request.method == "POST":
        mail.stop_mail(stop)
    is_off = request.method == "POST" or stop.player.mail_mode == MailMode.NOTHING
    return render(request, "games/unsubscribe.html", {"name": stop.player.username, "is_off": is_off})
