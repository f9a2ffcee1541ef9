"""What one may look for in the archive, and the games that fit. Reads columns only, and of finished games alone."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from games import rules, words
from games.models import Game, Player, Seat
from games.pages.forms import LineField, PlainForm
from games.pages.lists.people import find_player

ANY: Final = gettext_lazy("any")
MOST_PLAYERS: Final = 4

ORDERS: Final = {
    "": ("-", "ended_at"),
    "oldest": ("", "ended_at"),
    "longest": ("-", "ply"),
    "shortest": ("", "ply"),
}
"""The sign and the column of each order; games of the same value follow by their keys."""


class DayField(forms.DateField):
    """A day that browsers offer to choose, of years with four digits in every zone."""

    widget = forms.DateInput({"type": "date"}, "%Y-%m-%d")

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value and not 2000 <= value.year < 3000:
            raise ValidationError(self.error_messages["invalid"], code="invalid")


def _clans() -> list[tuple[str, Any]]:
    """As choices, in the reader's language."""
    return [("", ANY), *((clan, words.name_clan(clan)) for clan in rules.CLANS)]


class SearchForm(PlainForm, forms.Form):
    """A search, as it stands in the address; an empty field asks for nothing."""

    player = LineField(
        label=gettext_lazy("Played by"),
        widget=forms.TextInput({"placeholder": gettext_lazy("one name or more")}),
        max_length=150,
        required=False,
    )
    winner = LineField(label=gettext_lazy("Won by"), max_length=40, required=False)
    clan = forms.ChoiceField(label=gettext_lazy("Winner’s clan"), choices=_clans, required=False)
    size = forms.ChoiceField(
        label=gettext_lazy("Seats"), choices=[("", ANY), ("2", "2"), ("3", "3"), ("4", "4")], required=False
    )
    computers = forms.ChoiceField(
        label=gettext_lazy("Computer players"),
        choices=[("", ANY), ("no", gettext_lazy("none")), ("yes", gettext_lazy("one or more"))],
        required=False,
    )
    end = forms.ChoiceField(
        label=gettext_lazy("End"),
        choices=[
            ("", ANY),
            (Game.End.VILLAGES, gettext_lazy("twelve villages")),
            (Game.End.NO_MOVES, gettext_lazy("no move left")),
            (Game.End.ABANDONED, gettext_lazy("abandoned")),
        ],
        required=False,
    )
    five_clans = forms.ChoiceField(
        label=gettext_lazy("House rule"),
        choices=[
            ("", ANY),
            (Game.FiveClans.SCORE, gettext_lazy("none")),
            (Game.FiveClans.NOTHING, gettext_lazy("five clans score nothing")),
        ],
        required=False,
    )
    title = LineField(label=gettext_lazy("Name of the table"), max_length=60, required=False)
    since = DayField(label=gettext_lazy("Ended from"), required=False)
    until = DayField(label=gettext_lazy("To"), required=False)
    order = forms.ChoiceField(
        label=gettext_lazy("Order"),
        choices=[
            ("", gettext_lazy("newest first")),
            ("oldest", gettext_lazy("oldest first")),
            ("longest", gettext_lazy("most moves first")),
            ("shortest", gettext_lazy("fewest moves first")),
        ],
        required=False,
    )

    def clean_player(self) -> list[Player]:
        names = dict.fromkeys(re.split(r"[\s,;]+", self.cleaned_data["player"]))
        found = [_player_called(name) for name in names if name]
        if len(found) > MOST_PLAYERS:
            raise ValidationError(_("No game has more than four players."), code="too_many")
        return found

    def clean_winner(self) -> Player | None:
        name = self.cleaned_data["winner"]
        return _player_called(name) if name else None

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("That is before the first day."))
        return self.cleaned_data

    @property
    def asks(self) -> bool:
        """Whether anything at all is asked for, be it readable or not."""
        return any(self.data.get(name) for name in self.fields)

    def told(self) -> list[tuple[str, str]]:
        """What is asked for, as labels and values in words."""
        asked = [self[name] for name in self.fields if self.data.get(name)]
        return [(str(field.label), _in_words(field)) for field in asked]


def _in_words(field: forms.BoundField) -> str:
    value = str(field.value())
    choices = {str(key): str(text) for key, text in getattr(field.field, "choices", ())}
    return choices.get(value, value)


def _player_called(name: str) -> Player:
    found = find_player(name)
    if found is None:
        raise ValidationError(_("Nobody here is called %(name)s."), params={"name": name}, code="unknown")
    return found


def find_games(asked: dict[str, Any], *, viewer: Player | None, mine: bool) -> QuerySet[Game] | QuerySet[Seat]:
    """The finished games that fit what was `asked` (the cleaned data of a SearchForm), in its order: games, or a
    player's seats at them where one is named, because an index finds those at once.

    Public ones; where they are to be `mine`, the viewer's, those by link among them.
    """
    sign, column = ORDERS[asked["order"]]
    players = [viewer, *asked["player"]] if viewer and mine else asked["player"]
    first = next(iter(players), asked["winner"])
    games: QuerySet[Any]
    if first is None:
        games, to_game, key = Game.objects.filter(status=Game.Status.FINISHED), "", "pk"
        order = (sign + column, sign + "pk")
    else:
        games, to_game, key = Seat.objects.filter(player=first, ended_at__isnull=False), "game__", "game"
        order = (sign + ("" if column == "ended_at" else to_game) + column, sign + "game_id")
    if not mine:
        games = games.filter(**{f"{to_game}is_public": True, f"{to_game}is_listed": True})
    return games.filter(_about_columns(asked, to_game), *_about_seats(asked, players[1:], key)).order_by(*order)


def _about_columns(asked: dict[str, Any], to_game: str) -> Q:
    """What the columns of the game tell."""
    found = Q(**{to_game + name: asked[name] for name in ("size", "end", "five_clans") if asked[name]})
    if asked["title"]:
        found &= Q(**{f"{to_game}name__icontains": asked["title"]})
    if asked["since"]:
        found &= Q(**{f"{to_game}ended_at__gte": _midnight(asked["since"])})
    if asked["until"]:
        found &= Q(**{f"{to_game}ended_at__lt": _midnight(asked["until"] + timedelta(days=1))})
    return found


def _about_seats(asked: dict[str, Any], players: list[Player], key: str) -> list[Any]:
    """What the seats of the game tell; `key` is the name of its key in what is looked through."""
    seats = Seat.objects.filter(game=OuterRef(key))
    found: list[Any] = [Exists(seats.filter(player=player)) for player in players]
    if asked["winner"] or asked["clan"]:
        won = {"player": asked["winner"], "clan": asked["clan"]}
        found.append(Exists(seats.filter(rank=1, **{name: value for name, value in won.items() if value})))
    if asked["computers"]:
        has_computers = Exists(seats.filter(player=None))
        found.append(has_computers if asked["computers"] == "yes" else ~has_computers)
    return found


def _midnight(day: date) -> datetime:
    """When that day begins for who reads."""
    return timezone.make_aware(datetime.combine(day, time()))
