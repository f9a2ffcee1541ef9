"""A player's webhooks: what is called, how that went, and adding, testing, switching and removing one."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from games import hooks
from games.models import Player, Webhook
from games.pages.forms import AddressField, PlainForm, for_players
from games.pages.replies import SeeOther, status_of
from games.pages.times import when
from games.words.errors import say_answer
from games.words.spans import SECOND, say_span

DISCORD = re.compile(r"https://(?:(?:canary|ptb)\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/[\w-]+/?(?:\?.*)?")
"""The form of Discord's webhook addresses; on your own machine something else may take the place of Discord."""
TAIL = 4
"""This many letters of the end of a secret address distinguish it from the others."""
KINDS = [
    (Webhook.Kind.DISCORD, gettext_lazy("In a channel’s settings: Integrations, Webhooks, Copy webhook URL.")),
    (
        Webhook.Kind.SLACK,
        gettext_lazy("An incoming webhook of Slack, or of a chat that takes the same, as Mattermost does."),
    ),
    (Webhook.Kind.JSON, gettext_lazy("For a program of your own: everything in fields, with a signature.")),
]
FIELDS = [
    ("format", "string", gettext_lazy("clans-hook/1. New fields may come; those that are here keep their meaning.")),
    (
        "event",
        "string",
        gettext_lazy("What has happened: started, turn, reminder, autopilot, finished, postcard or test."),
    ),
    ("id", "string", gettext_lazy("That of the call. A call that is sent again has the same one.")),
    ("title", "string", gettext_lazy("One line, in your language.")),
    (
        "text",
        "string",
        gettext_lazy("What has happened and until when you have time, in lines, in your language and zone."),
    ),
    ("url", "string", gettext_lazy("The page of the table.")),
    ("at", "date-time", gettext_lazy("When it happened, in UTC as all times but those in the text.")),
    ("seat", "object", gettext_lazy("Your seat: number, from 0, and name.")),
    ("table", "object", gettext_lazy("Its name, slug and url. A test has neither this nor what follows.")),
    ("ply", "integer", gettext_lazy("How many moves have been played.")),
    ("moves", "list", gettext_lazy("The moves since your last one: move, such as C4-D1, and words.")),
    (
        "free_until",
        "date-time",
        gettext_lazy("Until then the turn uses none of your reserve; null if it is not your turn."),
    ),
    ("due_at", "date-time", gettext_lazy("When your time is up; null if it is not your turn.")),
]
"""The fields of a call for programs, each with its type and its meaning, as docs/webhooks.md has them."""


class HookForm(PlainForm, forms.Form):
    """A webhook to be added."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What it calls"),
        choices=[(kind, kind.label) for kind, _about in KINDS],
        initial=Webhook.Kind.DISCORD,
        widget=forms.RadioSelect,
    )
    url = AddressField(
        label=gettext_lazy("Address"),
        max_length=500,
        widget=forms.TextInput(
            attrs={"type": "url", "placeholder": "https://", "autocomplete": "off", "spellcheck": "false"}
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse what cannot be a Discord address."""
        given = self.cleaned_data
        is_discord = given.get("kind") == Webhook.Kind.DISCORD and not settings.WEBHOOK_ALLOW_INTERNAL
        if is_discord and "url" in given and not DISCORD.fullmatch(given["url"]):
            self.add_error("url", _("An address of Discord begins with https://discord.com/api/webhooks/."))
        return given

    def kinds(self) -> list[tuple[Any, str, Any]]:
        """Each kind: its radio button, its name and what it means."""
        return [
            (radio.tag(), radio.choice_label, about) for radio, (_kind, about) in zip(self["kind"], KINDS, strict=True)
        ]

    def refuse(self, error: Exception) -> None:
        """Say why there is no such webhook."""
        match error:
            case hooks.TooMany():
                self.add_error(None, _("You have as many as there can be. Remove one first."))
            case hooks.KnownAlready():
                self.add_error("url", _("You have this one already."))
            case _:
                self.add_error("url", _("Calls go only to public addresses that begin with https://"))


@for_players
def webhooks(request: HttpRequest, player: Player) -> HttpResponse:
    """The webhooks, and the form for one more. The answer to that form shows the secret of a new one, this once."""
    form = HookForm(request.POST if request.method == "POST" else None)
    added = _add(form, player) if form.is_valid() else None
    tested = tested_on(request)
    found = [_row(hook, tested=tested) for hook in player.webhooks.addresses()]
    about = {
        "form": HookForm() if added else form,
        "rows": found,
        "added": added,
        "is_full": len(found) >= hooks.MOST_HOOKS,
        "most": hooks.MOST_HOOKS,
        "wait": _say_wait(settings.MAIL_WAIT_SECONDS),
        "fields": [{"name": name, "kind": kind, "about": about} for name, kind, about in FIELDS],
    }
    status = HTTPStatus.CREATED if added else status_of(form)
    return render(request, "games/webhooks.html", about, status=status)


def _say_wait(seconds: int) -> str:
    """How a call to the table works; the site's operator decides how long it waits."""
    if seconds <= 0:
        return _("A call to your turn goes at once, but for what you have seen at the table before.")
    said = _("A call to your turn waits %(wait)s and does not go if you have been at the table by then.")
    return said % {"wait": say_span(seconds * SECOND, is_exact=True)}


def _add(form: HookForm, player: Player) -> Webhook | None:
    """The new webhook; None, and the form says why, when there is none."""
    kind, url = form.cleaned_data["kind"], form.cleaned_data["url"]
    try:
        return hooks.add_hook(player, kind=kind, url=url, at=timezone.now())
    except (hooks.HookError, hooks.Refused) as error:
        form.refuse(error)
        return None


@for_players
def webhook(request: HttpRequest, player: Player, hook: int) -> HttpResponse:
    """Test one, switch it, remove it. A GET changes nothing and leads to all of them."""
    if request.method != "POST":
        return redirect("webhooks")
    mine = get_object_or_404(Webhook.objects.addresses().select_related("player"), pk=hook, player=player)
    return SeeOther(reverse("webhooks") + _do(request, mine))


def _do(request: HttpRequest, hook: Webhook) -> str:
    match request.POST.get("do"):
        case "test":
            return ask_for_test(request, hook)
        case "remove":
            hooks.remove_hook(hook)
            messages.success(request, _("It is removed, and is called no more."))
        case "on":
            hooks.switch_hook(hook, on=True)
            messages.success(request, _("It is on again."))
        case "off":
            hooks.switch_hook(hook, on=False)
            messages.success(request, _("It is off. Nothing calls it."))
    return ""


def ask_for_test(request: HttpRequest, hook: Webhook) -> str:
    """Ask for a call of the webhook, or say that the last one is too young. The query of the page on which the focus is
    at what came of it."""
    try:
        hooks.request_test(hook, at=timezone.now())
    except hooks.TooSoon:
        messages.warning(request, _("The last test is only seconds old. Wait a little."))
        return ""
    return f"?tested={hook.pk}"


def tested_on(request: HttpRequest) -> str:
    """Which webhook has the focus of the page, by the query of `ask_for_test`. A form that was sent has it itself."""
    return request.GET.get("tested", "") if request.method != "POST" else ""


def _row(hook: Webhook, *, tested: str) -> dict[str, Any]:
    """A webhook as its player sees it. The whole address is not shown: it is a secret, and they know it."""
    about = {"kind": hook.get_kind_display(), "address": shorten_address(hook.url), "off": _say_off(hook)}
    return about | called_row(hook, tested=tested, url=reverse("webhook", args=(hook.pk,)))


def called_row(hook: Webhook, *, tested: str, url: str) -> dict[str, Any]:
    """How the last call of a webhook or of a browser went, and where something is done about it."""
    return {
        "pk": hook.pk,
        "is_on": hook.is_on,
        "is_tested": tested == str(hook.pk),
        "is_waiting": hooks.waits_for_test(hook, at=timezone.now()),
        "has_failed": bool(hook.trouble),
        "said": say_answer(hook.status, hook.trouble) if hook.said_at else "",
        "said_at": when(hook.said_at) if hook.said_at else "",
        "url": url,
    }


def _say_off(hook: Webhook) -> str:
    if hook.is_on:
        return ""
    if hook.failing_since is None:
        return _("You have switched it off.")
    if hook.trouble == Webhook.Trouble.GONE:
        return _("We have switched it off: there is nothing at its address any more.")
    return _("We have switched it off: for days it has taken no call.")


def shorten_address(url: str) -> str:
    """Host and end of an address: enough to know it by."""
    parts = urlsplit(url)
    host = parts.netloc.lower()
    return f"{host}/…{url[-TAIL:]}" if len(parts.path) > TAIL else f"{host}{parts.path}"
