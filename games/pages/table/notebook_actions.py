"""What is written into a notebook: POST-only, back to the table or, for the page's script, only the notebook again."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from games import play, words
from games.models import Game, Player
from games.pages.access import game_of, viewer_of
from games.pages.forms import NotebookForm
from games.pages.replies import INCOMPLETE, SeeOther
from games.pages.table.actions import action
from games.pages.table.notebook import notebook_of
from games.pages.table.page import show_table
from games.pov import look


@action
def write(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Mark what was tapped on the sheet, and save the note as the form has it. If something cannot be saved, the page
    shows it again."""
    form = NotebookForm(request.POST)
    if not form.is_valid():
        return _refuse(request, game, _("This cannot be saved."))
    text, at = form.written, timezone.now()
    is_both = False
    try:
        # Both or neither.
        with transaction.atomic():
            if form.suspicion:
                about, clan, mark = form.suspicion
                play.mark_suspicion(game, player=player, about=about, clan=clan, mark=mark, at=at)
            if text is not None:
                is_both = play.write_note(game, player=player, text=text, seen=form.cleaned_data["seen"], at=at)
    except (play.NoteTooLong, play.NotToSuspect, play.SheetFull) as error:
        return _refuse(request, game, words.explain_refusal(error), unsaved=text)
    if is_both:
        said = _("Your note was changed elsewhere meanwhile: both versions are kept.")
    else:
        said = "" if form.suspicion else _("Your note is saved.")
    return _respond(request, game, said, at="#sheet" if form.suspicion else "#note")


def _is_script(request: HttpRequest) -> bool:
    """Whether the script of the notebook asks."""
    return "X-Notebook" in request.headers


def _respond(request: HttpRequest, game: Game, said: str, *, at: str) -> HttpResponse:
    if _is_script(request):
        return _show_notebook(request, game, said=said)
    if said:
        messages.success(request, said)
    return SeeOther(game.get_absolute_url() + at)


def _refuse(request: HttpRequest, game: Game, refusal: str, *, unsaved: str | None = None) -> HttpResponse:
    if _is_script(request):
        return _show_notebook(request, game, said=refusal, unsaved=unsaved, status=INCOMPLETE)
    return show_table(request, game_of(game.slug), refusal=refusal, unsaved=unsaved, status=INCOMPLETE)


def _show_notebook(
    request: HttpRequest, game: Game, *, said: str, unsaved: str | None = None, status: int = 200
) -> HttpResponse:
    game, viewer = game_of(game.slug), viewer_of(request)
    pov = look(game, viewer=viewer)
    about = {"pov": pov, "notebook": notebook_of(game, pov, viewer=viewer, unsaved=unsaved), "said": said}
    return render(request, "games/_table_notebook.html", about, status=status)
