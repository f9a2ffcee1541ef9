"""The mailbox of a site that is being tried out: every mail as its reader gets it. There is none on a real site."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from itertools import islice
from typing import ParamSpec
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from games.mail.transport.mailbox import StoredMail, stored_mail, stored_mails

SHOWN = 40
_NUMBER = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)
BACKEND = "games.mail.transport.mailbox.MailboxBackend"

# Nothing loads, nothing runs; links open beside the page, and only this site's own pages may frame it.
MAIL_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
)

P = ParamSpec("P")


def is_tried_out() -> bool:
    """Whether the site keeps its mails for the mailbox page instead of sending them."""
    return settings.DEBUG and settings.EMAIL_BACKEND == BACKEND


def _only_when_tried_out(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not is_tried_out():
            raise Http404
        return view(*args, **kwargs)

    return guarded


@require_safe
@_only_when_tried_out
def mailbox(request: HttpRequest) -> HttpResponse:
    """The mails, newest first; `?to=` those to one address, `?at=2` the second page of them."""
    to, at = request.GET.get("to", ""), _number(request.GET.get("at", ""))
    mails = list(islice(stored_mails(to=to), (at - 1) * SHOWN, at * SHOWN + 1))
    about = {
        "mails": mails[:SHOWN],
        "to": to,
        "here": f"?{urlencode({'to': to})}&" if to else "?",
        "page": {"before": at - 1, "after": at + 1 if mails[SHOWN:] else 0},
    }
    return render(request, "games/mailbox.html", about)


def _number(text: str) -> int:
    """The number of a page; the first for what is none."""
    return int(text) if _NUMBER.fullmatch(text) else 1


@require_safe
@_only_when_tried_out
def mail(request: HttpRequest, key: str) -> HttpResponse:
    """One mail: headers, text part and HTML part."""
    return render(request, "games/mailbox_mail.html", {"mail": _found(key)})


@require_safe
@_only_when_tried_out
@xframe_options_sameorigin
def mail_html(request: HttpRequest, key: str) -> HttpResponse:
    """The HTML part alone, for the frame on the mail's page."""
    mail = _found(key)
    if not mail.html:
        raise Http404
    return HttpResponse(mail.html, headers={"Content-Security-Policy": MAIL_POLICY})


def _found(key: str) -> StoredMail:
    mail = stored_mail(key)
    if mail is None:
        raise Http404
    return mail
