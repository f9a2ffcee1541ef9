"""The browsers that show a player notifications (Web Push): adding this one, testing, renaming and removing them."""

from __future__ import annotations

from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import hooks
from games.models import Player, Webhook
from games.pages.forms import LineField, PlainForm, for_players
from games.pages.player.notification_log import SHOWN, notification_rows
from games.pages.player.webhooks import ask_for_test, called_row, tested_on
from games.pages.replies import INCOMPLETE, SeeOther
from games.pages.times import when
from games.words.browsers import name_browser

NAME_LENGTH = 40


class BrowserForm(PlainForm, forms.Form):
    """What a browser says of itself, sent by a script."""

    url = forms.CharField(max_length=500)
    public_key = forms.CharField(max_length=90)
    secret = forms.CharField(max_length=40)


class BrowserNameForm(PlainForm, forms.Form):
    """What a player calls a browser."""

    name = LineField(max_length=NAME_LENGTH)


@for_players
def browsers(request: HttpRequest, player: Player) -> HttpResponse:
    """The browsers, and a button that adds this one: a script asks the browser, and sends what it says."""
    key = hooks.push_public_key()
    form, refusal = BrowserForm(request.POST), ""
    if request.method == "POST":
        refusal = _add(request, form, player) if key else _("This site sends no notifications.")
        if not refusal:
            return SeeOther(reverse("browsers"))
    tested = tested_on(request)
    about = {
        "browsers": [
            {"name": hook.name, "since": when(hook.created_at)}
            | called_row(hook, tested=tested, url=reverse("browser", args=(hook.pk,)))
            for hook in player.webhooks.browsers()
        ],
        "rows": list(notification_rows(player, at=timezone.now())),
        "shown": SHOWN,
        "key": key,
        "most": hooks.MOST_BROWSERS,
        "name_length": NAME_LENGTH,
        "refusal": refusal,
    }
    return render(request, "games/browsers.html", about, status=INCOMPLETE if refusal else HTTPStatus.OK)


def _add(request: HttpRequest, form: BrowserForm, player: Player) -> str:
    """Add the browser; why not, where it cannot be added."""
    if not form.is_valid():
        return _("The browser did not say all that is needed. Try it again.")
    name = name_browser(request.headers.get("User-Agent", ""))[:NAME_LENGTH]
    try:
        hooks.add_browser(player, name=name, at=timezone.now(), **form.cleaned_data)
    except hooks.TooMany:
        return _("You have as many as there can be. Remove one first.")
    except (hooks.Refused, hooks.NoPush):
        return _("What the browser says of itself cannot be used.")
    messages.success(request, _("This browser gets notifications from now on. Send it a test, to see one."))
    return ""


@for_players
def one_browser(request: HttpRequest, player: Player, browser: int) -> HttpResponse:
    """Test one, rename it, switch it on again, remove it. A GET changes nothing and leads to all of them."""
    if request.method != "POST":
        return redirect("browsers")
    mine = get_object_or_404(Webhook.objects.browsers().select_related("player"), pk=browser, player=player)
    return SeeOther(reverse("browsers") + _do(request, mine))


def _do(request: HttpRequest, hook: Webhook) -> str:
    match request.POST.get("do"):
        case "test":
            return ask_for_test(request, hook)
        case "remove":
            hooks.remove_hook(hook)
            messages.success(request, _("%(name)s is removed, and gets no more notifications.") % {"name": hook.name})
        case "on":
            hooks.switch_hook(hook, on=True)
            messages.success(request, _("It is on again."))
        case "rename":
            _rename(request, hook)
    return ""


def _rename(request: HttpRequest, hook: Webhook) -> None:
    form = BrowserNameForm(request.POST)
    if form.is_valid():
        name = form.cleaned_data["name"]
        hooks.rename_browser(hook, name)
        messages.success(request, _("It is called %(name)s now.") % {"name": name})
    else:
        messages.warning(request, _("That is no name for a browser."))
