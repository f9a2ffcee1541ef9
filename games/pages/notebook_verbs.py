"""What is written into a notebook: POST-only, back to the table or, for the page's script, only the notebook anew."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play, pov
from games.models import Game, Player
from games.pages.answers import SeeOther
from games.pages.forms import NoteForm, SuspicionForm
from games.pages.notebook import notebook_of
from games.pages.table import game_of, show_table, viewer_of
from games.pages.verbs import CONFLICT, INCOMPLETE, verb


@verb
def note(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Save the note; what cannot be saved comes back in its field."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _answer(request, game, refusal=_("This text cannot be saved."), status=INCOMPLETE)
    text = form.written
    try:
        is_both = play.write_note(game, player=player, text=text, seen=form.cleaned_data["seen"], at=timezone.now())
    except play.NoteTooLong as error:
        return _answer(request, game, refusal=str(error), unsaved=text, status=INCOMPLETE)
    both = _("Your note was changed elsewhere meanwhile: both versions are kept.")
    return _answer(request, game, said=both if is_both else _("Your note is saved."), at="#note")


@verb
def sheet(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Mark what the player thinks of a seat and a clan."""
    form = SuspicionForm(request.POST)
    if not form.is_valid():
        return _answer(request, game, refusal=_("Nothing was marked."), status=INCOMPLETE)
    about, clan, mark = form.parts
    try:
        play.mark_suspicion(game, player=player, about=about, clan=clan, mark=mark, at=timezone.now())
    except (play.NotToSuspect, play.SheetFull) as error:
        return _answer(request, game, refusal=str(error), status=CONFLICT)
    return _answer(request, game, at="#sheet")


def _answer(
    request: HttpRequest,
    game: Game,
    *,
    said: str = "",
    refusal: str = "",
    unsaved: str | None = None,
    at: str = "",
    status: int = 200,
) -> HttpResponse:
    """The notebook alone for the script of the page; else what was refused on the table's page, or the way back."""
    if "X-Notebook" in request.headers:
        return _show_notebook(request, game_of(game.slug), said=said or refusal, unsaved=unsaved, status=status)
    if refusal:
        return show_table(request, game_of(game.slug), refusal=refusal, unsaved=unsaved, status=status)
    if said:
        messages.success(request, said)
    return SeeOther(game.get_absolute_url() + at)


def _show_notebook(request: HttpRequest, game: Game, *, said: str, unsaved: str | None, status: int) -> HttpResponse:
    viewer = viewer_of(request)
    seen = pov.look(game, viewer=viewer)
    about = {"pov": seen, "notebook": notebook_of(game, seen, viewer=viewer, unsaved=unsaved), "said": said}
    return render(request, "games/_table_notebook.html", about, status=status)
