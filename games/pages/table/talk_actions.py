"""What is done with the talk of a table: write, read older postcards, change and remove one's own, mute and block
others and report theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from games import play, words
from games.drawing import draw_seals, initials
from games.limits import POSTCARDS, REPORTS
from games.models import Game, Player, Postcard, Report
from games.pages.access import Missing, game_of, has_or_had_seat, table_url, viewer_of
from games.pages.counting import refused
from games.pages.forms import PostcardForm, ReportForm, first_error, read_number, unsent_at
from games.pages.replies import INCOMPLETE, TOO_OFTEN, SeeOther, done
from games.pages.table.actions import MANY_POSTCARDS, action, sign_in_at
from games.pages.table.page import show_table
from games.pages.table.talk import head_with_link, list_postcards, say_readers, show_words
from games.pov import PostcardPov, Pov, look, read_all_talk

ON_A_PAGE: Final = 100
MANY_REPORTS: Final = gettext_lazy("You have reported much today. Wait until tomorrow before you report more.")


def talk(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that was said at a table, beginning with the last page; POST says something."""
    if request.method == "POST":
        return _say(request, slug)
    game, viewer = game_of(slug), viewer_of(request)
    pov = look(game, viewer=viewer)
    if not pov.said:
        return redirect(game)
    before = read_number(request.GET.get("before", ""))
    cards = read_all_talk(game, pov, viewer=viewer, before=before, most=ON_A_PAGE)
    about = {
        "pov": pov,
        "table_url": table_url(slug),
        "readers": say_readers(pov),
        "seals": draw_seals(initials(seat.name for seat in pov.seats)),
        "cards": list_postcards(cards, pov),
        "older": cards[0].number if len(cards) == ON_A_PAGE else 0,
    }
    return render(request, "games/talk.html", about)


@action
def _say(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    form, written = PostcardForm(request.POST), request.POST.get("say", "")
    if not form.is_valid():
        return show_table(request, game, refusal=first_error(form), unsent=written, status=INCOMPLETE)
    if not game.seats.filter(player=player).exists():
        raise play.NoSuchSeat
    if refused(POSTCARDS, request, person=player.pk):
        return show_table(request, game, refusal=str(MANY_POSTCARDS), unsent=written, status=TOO_OFTEN)
    said, heard = form.cleaned_data["say"], form.cleaned_data["heard"] or 0
    play.write_postcard(game, player=player, text=said, heard=heard, at=timezone.now())
    # Inside of what is folded: browsers unfold it then.
    return SeeOther(f"{game.get_absolute_url()}#said")


# --- One postcard ----------------------------------------------------------------------------------


def postcard(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One postcard, and what its reader can do with it; POST does it."""
    if request.method == "POST":
        return _act(request, slug, number=number)
    game, viewer = game_of(slug), viewer_of(request)
    if viewer is None:
        return redirect_to_login(request.get_full_path())
    return _show(request, game, viewer, number)


def _show(
    request: HttpRequest, game: Game, viewer: Player, number: int, *, form: forms.Form | None = None, status: int = 200
) -> HttpResponse:
    pov, card = _find(game, viewer, number)
    written = request.POST or unsent_at(request, request.path)
    about = {
        "pov": pov,
        "table_url": table_url(game.slug),
        "card": card,
        "head": head_with_link(card),
        "words": show_words(card),
        "text": written.get("say", card.text),
        "reason": written.get("reason", ""),
        "may_edit": card.is_mine and play.may_edit(card.at, at=timezone.now()),
        "is_reported": Report.objects.filter(reporter=viewer, postcard__game=game, postcard__number=number).exists(),
        "says": card.state == Postcard.State.SHOWN,
        "error": first_error(form) if form else "",
    }
    return render(request, "games/postcard.html", about, status=status)


def _find(game: Game, viewer: Player, number: int) -> tuple[Pov, PostcardPov]:
    """The postcard of that number as a player at the table, also a former one, reads it; raises Http404."""
    pov = look(game, viewer=viewer)
    cards = read_all_talk(game, pov, viewer=viewer, before=number + 1, most=1) if pov.is_player else ()
    if not cards or cards[0].number != number:
        raise Missing(_("There is no postcard here, or you have muted who wrote it."))
    return pov, cards[0]


def _do(request: HttpRequest, game: Game, player: Player, number: int) -> HttpResponse:
    if not has_or_had_seat(game, player):
        raise play.NoSuchSeat
    deed = _DEEDS.get(request.POST.get("do", ""))
    if deed is None:
        return show_table(request, game, refusal=_("Nothing was done: choose what."), status=INCOMPLETE)
    return deed(request, game, player, number)


_act = action(_do, for_visitors=lambda request, _game, number: sign_in_at(request, request.path))


def _edit(request: HttpRequest, game: Game, player: Player, number: int) -> HttpResponse:
    form = PostcardForm(request.POST)
    if not form.is_valid():
        return _show(request, game, player, number, form=form, status=INCOMPLETE)
    if refused(POSTCARDS, request, person=player.pk):
        form.add_error("say", str(MANY_POSTCARDS))
        return _show(request, game, player, number, form=form, status=TOO_OFTEN)
    play.edit_postcard(game, player=player, number=number, text=form.cleaned_data["say"], at=timezone.now())
    return done(request, game, _("Your postcard is changed."))


def _remove(request: HttpRequest, game: Game, player: Player, number: int) -> HttpResponse:
    play.remove_postcard(game, player=player, number=number)
    return done(request, game, _("Your postcard is removed."))


def _mute(request: HttpRequest, game: Game, player: Player, number: int, *, blocks: bool) -> HttpResponse:
    _seen, card = _find(game, player, number)
    other = _writer(game, number)
    mute = play.mute_player(player, other, blocks=blocks, at=timezone.now())
    return done(request, game, words.describe_mute(card.name, blocks=mute.blocks))


def _writer(game: Game, number: int) -> Player:
    found = game.postcards.select_related("seat__player", "former_holder__player").get(number=number).writer
    if found is None:
        raise play.NoSuchPostcard
    return found


def _report(request: HttpRequest, game: Game, player: Player, number: int) -> HttpResponse:
    form = ReportForm(request.POST)
    if not form.is_valid():
        return _show(request, game, player, number, form=form, status=INCOMPLETE)
    _find(game, player, number)
    if refused(REPORTS, request, person=player.pk):
        return show_table(request, game, refusal=str(MANY_REPORTS), status=TOO_OFTEN)
    card = game.postcards.select_related("seat__player", "former_holder__player", "game").get(number=number)
    play.report_postcard(card, player=player, reason=form.cleaned_data["reason"], at=timezone.now())
    return done(request, game, _("The operator of this site will look at this postcard."))


_DEEDS: Final[Mapping[str, Callable[[HttpRequest, Game, Player, int], HttpResponse]]] = {
    "edit": _edit,
    "remove": _remove,
    "mute": partial(_mute, blocks=False),
    "block": partial(_mute, blocks=True),
    "report": _report,
}
