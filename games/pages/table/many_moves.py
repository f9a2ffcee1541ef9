"""Moves at several tables that come in one form: each is read, checked and played separately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from games import play, rules, words
from games.models import Game, Player, Seat
from games.pages.access import table_url
from games.pages.forms import TurnForm, first_error
from games.pages.table.choices import plan_sentences
from games.pages.table.draft import Draft, in_notation
from games.pov import look

FIELDS: Final = ("written", "picked")
"""The two ways to say a move."""


class MoveAtForm(TurnForm):
    """The move at one of the tables: written, chosen from the list of legal moves, or neither."""

    written = forms.CharField(max_length=40, required=False)
    picked = forms.CharField(max_length=40, required=False)

    def clean(self) -> dict[str, Any]:
        given = [text for name in FIELDS if (text := self.cleaned_data.get(name))]
        if len({in_notation(text).upper().replace(" ", "") for text in given}) > 1:
            raise ValidationError(_("You have written one move and chosen another, so neither was played."))
        return self.cleaned_data

    @property
    def move(self) -> str:
        """The move as it was written or chosen. Only after `is_valid()`."""
        return in_notation(self.cleaned_data["written"] or self.cleaned_data["picked"])


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """What the `move` at one table has done, or would do (`plan`) if the player confirms it; or why it was refused.

    `fields` are the values that were sent for the table.
    """

    slug: str
    name: str
    fields: Mapping[str, str]
    move: str = ""
    plan: Sequence[str] = ()
    refusal: str = ""

    @property
    def url(self) -> str:
        return table_url(self.slug)


@dataclass(frozen=True, slots=True)
class Sent:
    """What a player has filled in for one table. `seat` is None if they no longer play there."""

    game: Game
    seat: Seat | None
    form: MoveAtForm

    def outcome(self, *, move: str = "", plan: Sequence[str] = (), refusal: str = "") -> TableOutcome:
        """The result of the move; empty as long as there is none."""
        fields = {name: self.form[name].data or "" for name in self.form.fields}
        return TableOutcome(self.game.slug, self.game.name, fields, move, plan, refusal)


def read_sent(data: QueryDict, player: Player) -> list[Sent]:
    """The tables for which something was filled in, in the order of the page. Two queries."""
    # No address has other signs, and PostgreSQL takes no null byte.
    slugs = [slug for slug in dict.fromkeys(data.getlist("table")) if slug.isalnum() and _is_filled(data, slug)]
    if not slugs:
        return []
    games = {game.slug: game for game in Game.objects.filter(slug__in=slugs).select_related("deal", "series")}
    seats = Seat.objects.defer("clan", "entropy").filter(game__in=games.values(), player=player, is_bot=False)
    mine = {seat.game_id: seat for seat in seats}
    return [
        Sent(games[slug], mine.get(games[slug].pk), MoveAtForm(data, prefix=slug)) for slug in slugs if slug in games
    ]


def _is_filled(data: Mapping[str, str], slug: str) -> bool:
    return any(data.get(f"{slug}-{name}", "").strip() for name in FIELDS)


def play_sent(sent: Sent) -> TableOutcome:
    """Play the move at one table."""
    try:
        seat, move, form = _check(sent)
        ply, at = form.cleaned_data["ply"], play.now()
        key = form.key_of(str(move))
        played = play.play_move(sent.game, seat=seat, move=move, ply=ply, key=key, at=at, edition=form.edition)
    except _REFUSALS as error:
        return sent.outcome(refusal=_explain(error))
    return sent.outcome(move=str(played.step.move))


def preview(sent: Sent, player: Player) -> TableOutcome:
    """What the move would do at one table."""
    try:
        _seat, move, form = _check(sent)
        pov = look(sent.game, viewer=player)
        if (
            pov.position is None
            or not pov.is_my_turn
            or (form.cleaned_data["ply"], form.edition) != (pov.last_ply, pov.edition)
        ):
            raise play.StaleMove
        draft = Draft(move.origin, move.target, move.order, step=rules.play(pov.position, move))
    except _REFUSALS as error:
        return sent.outcome(refusal=_explain(error))
    return sent.outcome(move=str(move), plan=plan_sentences(draft, pov.position, pov.seats, is_mine=True))


def _check(sent: Sent) -> tuple[Seat, rules.Move, MoveAtForm]:
    """Seat, move and form, if the form can be read. Raises ValidationError, play.NoSuchSeat, rules.InvalidMove."""
    if not sent.form.is_valid():
        raise ValidationError(first_error(sent.form))
    if sent.seat is None:
        raise play.NoSuchSeat
    return sent.seat, rules.Move.parse(sent.form.move, sent.game.ruleset.board), sent.form


_REFUSALS: Final = (ValidationError, play.PlayError, rules.ClansError)


def _explain(error: ValidationError | play.PlayError | rules.ClansError) -> str:
    if isinstance(error, ValidationError):
        return str(error.messages[0])
    return words.explain_refusal(error) if isinstance(error, play.PlayError) else words.explain_error(error)
