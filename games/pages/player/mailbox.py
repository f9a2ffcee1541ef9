"""The mailbox of a site that is being tried out: every mail as its reader gets it. There is none on a real site."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from itertools import islice
from typing import ParamSpec
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from games.mail import StoredMail, answer_stored, stored_mail, stored_mails
from games.pages.forms import PlainForm
from games.pages.replies import done, status_of

SHOWN = 40
LONGEST_ANSWER = 4000
_NUMBER = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)
BACKEND = "games.mail.transport.mailbox.MailboxBackend"

# Nothing loads, nothing runs; links open beside the page, and only this site's own pages may frame it. The page that
# does sees how tall the mail is.
MAIL_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
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
    """The mails, newest first; `?to=` those to an address, or a part of one, `?at=2` the second page of them."""
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
    """The number of a page; 1 if the text is not a number."""
    return int(text) if _NUMBER.fullmatch(text) else 1


class MailAnswerForm(PlainForm, forms.Form):
    """What the reader of a mail answers."""

    text = forms.CharField(
        label=gettext_lazy("Your answer"),
        help_text=gettext_lazy(
            "The mail says what it can be answered with. Your answer is sent like a mail, with the mail above quoted"
            " below it."
        ),
        max_length=LONGEST_ANSWER,
        widget=forms.Textarea(attrs={"rows": 4, "autocomplete": "off"}),
    )


@_only_when_tried_out
def mail(request: HttpRequest, key: str) -> HttpResponse:
    """One mail: headers, text part and HTML part; POST answers it as its reader, by a real mail."""
    mail = _found(key)
    form = MailAnswerForm(request.POST if request.method == "POST" else None)
    if _takes_answers(mail) and form.is_valid() and _answer(mail, form):
        said = _("Your answer was taken in. What came of it is in a mail that comes in a moment.")
        return done(request, f"{reverse('mailbox')}?{urlencode({'to': mail.to[0]})}", said)
    about = {"mail": mail, "form": form if _takes_answers(mail) else None}
    return render(request, "games/mailbox_mail.html", about, status=status_of(form))


def _takes_answers(mail: StoredMail) -> bool:
    """Whether a process of this site takes answers, and the mail says where it wants one."""
    return bool(settings.REPLY_LISTEN and mail.to and mail.answer_to)


def _answer(mail: StoredMail, form: MailAnswerForm) -> bool:
    """Answer a mail with the text of the form; returns whether it was taken. If not, the form says why."""
    if said := answer_stored(mail, form.cleaned_data["text"], at=timezone.now()):
        form.add_error("text", _("Your answer was not taken in: %(said)s") % {"said": said})
        return False
    return True


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
