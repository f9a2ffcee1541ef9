"""Mails about an account, which look like those about games. Text and HTML are made of the same values: the blocks of
the templates that allauth asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.conf import settings
from django.template import Template
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games.mail.compose import with_styles

BLOCKS: Final = ("lead", "text", "code", "why", "url", "rest")


@dataclass(frozen=True, slots=True)
class AccountMail:
    """What the templates of a mail show, as plain text: a value for each of the BLOCKS, empty where it has none."""

    lead: str
    text: str
    """A second paragraph."""
    code: str
    why: str
    """Why to open the page at `url`."""
    url: str
    rest: str
    """The last paragraph, of one line or several."""
    title: str = ""
    """Of the HTML."""

    @property
    def site(self) -> str:
        return settings.SITE_URL

    @property
    def summary(self) -> str:
        """What lists of mails show beside the subject: never a code, which a locked screen would show."""
        return self.lead


def read_account_mail(template: str, context: Mapping[str, Any]) -> AccountMail:
    """What the mail of a template says."""
    return AccountMail(**{block: _render_block(template, block, context) for block in BLOCKS})


def _render_block(template: str, block: str, context: Mapping[str, Any]) -> str:
    alone = Template(f"{{% autoescape off %}}{{% block {block} %}}{{% endblock %}}{{% endautoescape %}}")
    return render_to_string(template, {**context, "layout": alone}).strip()


def account_html(subject: str, mail: AccountMail) -> str:
    """The mail as HTML."""
    # The code of the subject is for lists of mails: here it stands below, and its heading fits a phone.
    titled = replace(mail, title=_("Your code") if mail.code else subject)
    return with_styles(render_to_string("mail/account.html", {"mail": titled}))
