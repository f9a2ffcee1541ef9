"""What is done about the clock of a table: being there, answering a reminder, nudging, coming back."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games import play, words
from games.models import Game, Player
from games.pages.access import game_of, viewer_of
from games.pages.forms import PlainForm
from games.pages.replies import CONFLICT, FORBIDDEN, INCOMPLETE, done
from games.pages.table.actions import action
from games.pages.table.clock import about_clock
from games.pages.table.page import show_table
from games.pov import Pov, look
from games.words.receipts import ANSWERED

TAKE_DAY: Final = "day"


class SeenForm(PlainForm, forms.Form):
    """Up to where a page in sight shows the game and the talk, and whether its reader watched the last moves."""

    ply = forms.IntegerField(min_value=0, max_value=60)
    watched = forms.BooleanField(required=False)
    heard = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


class ReminderAnswerForm(PlainForm, forms.Form):
    """An answer to a reminder."""

    say = forms.ChoiceField(choices=[(what, what) for what in ANSWERED])
    turn = forms.RegexField(r"^\d{1,4}-\d{1,2}-\d{1,3}$", required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse to take a day without a turn: a form sent twice would take two days."""
        given = self.cleaned_data
        if given.get("say") == TAKE_DAY and not given.get("turn"):
            self.add_error("turn", "")
        return given

    def read_turn(self) -> play.Turn:
        """The turn that a day was asked for. Only after `is_valid()`."""
        return play.Turn(*map(int, self.cleaned_data["turn"].split("-")))


def seen(request: HttpRequest, slug: str) -> HttpResponse:
    """A page in sight reports itself by POST and gets an empty answer: its reader knows what a mail would tell them."""
    game = game_of(slug)
    if request.method != "POST":
        return redirect(game)
    player, form = viewer_of(request), SeenForm(request.POST)
    if player is None:
        return HttpResponse(status=FORBIDDEN)
    if not form.is_valid():
        return HttpResponse(status=INCOMPLETE)
    try:
        ply, watched = form.cleaned_data["ply"], form.cleaned_data["watched"]
        heard = form.cleaned_data["heard"] or 0
        play.mark_seen(game, player=player, ply=ply, watched=watched, heard=heard, at=play.now())
    except play.NoSuchSeat:
        return HttpResponse(status=FORBIDDEN)
    except play.PlayError:
        # The game has ended while its player came back.
        return HttpResponse(status=CONFLICT)
    return HttpResponse(status=204)


def answer_reminder(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the buttons of a reminder lead: GET asks what to say, `?say=` proposes it, POST says it."""
    if request.method == "POST":
        return _give_answer(request, slug)
    game, player = game_of(slug), viewer_of(request)
    if player is None:
        return redirect_to_login(request.get_full_path())
    pov = look(game, viewer=player)
    if pov.me is None:
        return show_table(request, game, refusal=words.explain_refusal(play.NoSuchSeat()), status=FORBIDDEN)
    about = {"pov": pov, "proposed": _read_proposed(request, pov)}
    return render(request, "games/answer_reminder.html", about | about_clock(pov))


def _read_proposed(request: HttpRequest, pov: Pov) -> str:
    """The answer of the button that was followed; empty if it cannot be given here."""
    proposed = request.GET.get("say", "")
    has_use = proposed != "thinking" or not pov.plays_alone
    return proposed if proposed in ANSWERED and has_use else ""


@action
def _give_answer(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    form = ReminderAnswerForm(request.POST)
    if not form.is_valid():
        return show_table(request, game, refusal=_("Nothing was said: choose an answer."), status=INCOMPLETE)
    what = form.cleaned_data["say"]
    if what == TAKE_DAY:
        play.take_reserve_day(game, player=player, turn=form.read_turn(), at=play.now())
    else:
        play.tell_others(game, player=player, what=what, at=play.now())
    return done(request, game, _(ANSWERED[what]))


@action
def nudge(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    play.nudge(game, player=player, at=play.now())
    return done(
        request, game, _("A mail tells whoever is to move that you are waiting; at night it comes in the morning.")
    )


@action
def come_back(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    was_away = play.come_back(game, player=player, at=play.now())
    said = _("Welcome back: the seat is yours again.") if was_away else _("The seat is yours: no autopilot has it.")
    return done(request, game, said)


@action
def withdraw_autopilot(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    play.withdraw_autopilot(game, player=player, at=play.now())
    return done(request, game, _("The autopilot’s move is withdrawn, and it is your turn."))
