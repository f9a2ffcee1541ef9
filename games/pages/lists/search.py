"""What one may look for in the archive, and the games that fit. Reads columns only, and of finished games alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _, gettext_lazy

from games import clocks, rules, words
from games.models import Game, PassedPosition, Player, Seat, sets_of_clans_with
from games.pages.forms import LineField, PlainForm
from games.pages.lists.positions import Place, read_opening, read_place
from games.pages.lists.searched_names import (
    Who,
    find_accounts,
    find_namesakes,
    find_nobody,
    find_people,
    find_person,
    refusal_of,
)
from games.words.pace import name_pace_upto
from games.words.times import name_days

ANY: Final = gettext_lazy("any")

ORDERS: Final = {
    "": ("-", "ended_at"),
    "oldest": ("", "ended_at"),
    "longest": ("-", "ply"),
    "shortest": ("", "ply"),
    "closest": ("", "margin"),
    "clearest": ("-", "margin"),
    "points": ("-", "winning_total"),
}
"""The sign and the column of each order; games of the same value follow by their keys."""
EMPTY_IF_ABANDONED: Final = ("margin", "winning_total")
"""Columns that are empty for abandoned games: an order by these leaves them out."""
RANGES: Final = {"moves": "ply", "total": "winning_total", "margin": "margin"}
"""The columns of `moves_from` and `moves_to`, and so on."""
Choices = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
"""For each field of a search how many games there are of each choice that has any."""


class DayField(forms.DateField):
    """A day, with the browser's date picker; its year has four digits in every time zone."""

    widget = forms.DateInput({"type": "date"}, "%Y-%m-%d")

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value and not 2000 <= value.year < 3000:
            raise ValidationError(_("Take a day of the years 2000 to 2999."), code="invalid")


class Criterion(NamedTuple):
    """Something that is asked for: the name of its field, and what both are in words."""

    name: str
    label: str
    value: str


class Group(NamedTuple):
    """Fields of the form that stand together, by name."""

    legend: str
    fields: list[str]
    is_open: bool


def _bounds(name: str) -> tuple[str, str]:
    """The fields between which a number is to be."""
    return f"{name}_from", f"{name}_to"


def _number(label: Any, unit: Any = "") -> forms.IntegerField:
    # No number input: one that shows what is no number again would not be HTML.
    widget = forms.TextInput({"inputmode": "numeric", **({"placeholder": unit} if unit else {})})
    return forms.IntegerField(label=label, widget=widget, min_value=0, max_value=999, required=False)


def _choice(label: Any, choices: Callable[[], Iterable[tuple[str, Any]]]) -> forms.ChoiceField:
    """Any of the `choices`, which are in the reader's language, or no matter which."""
    return forms.ChoiceField(label=label, choices=lambda: [("", ANY), *choices()], required=False)


def _paces() -> Iterator[tuple[str, str]]:
    """Each includes all times for a move that are as long or shorter."""
    return ((preset.key, name_pace_upto(preset)) for preset in clocks.PRESETS)


def _yes_or_no() -> list[tuple[str, str]]:
    return [("yes", _("yes")), ("no", _("no"))]


class SearchForm(PlainForm, forms.Form):
    """A search, as it stands in the address; an empty field asks for nothing."""

    player = LineField(
        label=gettext_lazy("Played by"),
        widget=forms.TextInput({"placeholder": gettext_lazy("one or more")}),
        max_length=260,
        required=False,
    )
    winner = LineField(label=gettext_lazy("Won by"), max_length=60, required=False)
    clan = _choice(gettext_lazy("Winner’s clan"), lambda: ((clan, words.name_clan(clan)) for clan in rules.CLANS))
    size = _choice(gettext_lazy("Seats"), lambda: ((seats, seats) for seats in "234"))
    computers = _choice(gettext_lazy("Computer players"), lambda: [("no", _("none")), ("yes", _("one or more"))])
    end = _choice(
        gettext_lazy("End"),
        lambda: [
            (Game.End.VILLAGES, _("twelve villages")),
            (Game.End.NO_MOVES, _("no move left")),
            (Game.End.ABANDONED, _("abandoned")),
        ],
    )
    five_clans = _choice(
        gettext_lazy("House rule"),
        lambda: [(Game.FiveClans.SCORE, _("none")), (Game.FiveClans.NOTHING, _("five clans score nothing"))],
    )
    pace = _choice(gettext_lazy("Pace"), _paces)
    board = _choice(gettext_lazy("Map"), lambda: ((board, board) for board in rules.BOARDS))
    tie = _choice(gettext_lazy("Shared win"), _yes_or_no)
    margin_from = _number(gettext_lazy("Margin from"), gettext_lazy("points"))
    margin_to = _number(gettext_lazy("Margin to"), gettext_lazy("points"))
    total_from = _number(gettext_lazy("Best total from"), gettext_lazy("points"))
    total_to = _number(gettext_lazy("Best total to"), gettext_lazy("points"))
    moves_from = _number(gettext_lazy("Moves from"))
    moves_to = _number(gettext_lazy("Moves to"))
    since = DayField(label=gettext_lazy("Ended from"), required=False)
    until = DayField(label=gettext_lazy("Ended to"), required=False)
    talk = _choice(gettext_lazy("Talk to read"), _yes_or_no)
    opening = LineField(
        label=gettext_lazy("Opening moves"),
        widget=forms.TextInput({"placeholder": gettext_lazy("B2-B3, …")}),
        max_length=80,
        required=False,
    )
    position = forms.CharField(label=gettext_lazy("Position"), widget=forms.HiddenInput, max_length=30, required=False)
    title = LineField(label=gettext_lazy("Name of the table"), max_length=60, required=False)
    order = forms.ChoiceField(
        label=gettext_lazy("Order"),
        choices=[
            ("", gettext_lazy("newest first")),
            ("oldest", gettext_lazy("oldest first")),
            ("longest", gettext_lazy("most moves first")),
            ("shortest", gettext_lazy("fewest moves first")),
            ("closest", gettext_lazy("closest first")),
            ("clearest", gettext_lazy("clearest wins first")),
            ("points", gettext_lazy("highest totals first")),
        ],
        required=False,
    )

    def clean_opening(self) -> list[int]:
        text = self.cleaned_data["opening"]
        return read_opening(text) if text else []

    def clean_position(self) -> Place | None:
        text = self.cleaned_data["position"]
        return read_place(text, self.tables()) if text else None

    def tables(self) -> QuerySet[Game]:
        """Those whose positions may be asked for: of all tables, because anybody who has the address may look at it."""
        return Game.objects.all()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(rules.BOARDS) == 1:
            del self.fields["board"]

    def clean(self) -> dict[str, Any]:
        self._find_people()
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("That is before the first day."))
        for name in RANGES:
            first, last = self.cleaned_data.get(f"{name}_from"), self.cleaned_data.get(f"{name}_to")
            if first is not None and last is not None and last < first:
                self.add_error(f"{name}_to", _("That is below the first number."))
        return self.cleaned_data

    def _find_people(self) -> None:
        """Put whose games are asked for in the place of their names. All accounts are looked up at once."""
        finders = {"player": find_people, "winner": find_person}
        asked = {name: self.cleaned_data[name] for name in finders if name in self.cleaned_data}
        players = find_accounts(asked.values())
        for name, text in asked.items():
            try:
                self.cleaned_data[name] = finders[name](text, players)
            except ValidationError as error:
                self.add_error(name, error)

    def _people(self) -> dict[str, list[Who]]:
        """Whom each field asks for."""
        winner: Who | None = self.cleaned_data.get("winner")
        return {"player": self.cleaned_data.get("player", []), "winner": [winner] if winner else []}

    def refuse_nobody(self) -> None:
        """Let the field of names that nobody has, or had in a game that everybody may see, say so. For a search that
        has found nothing: whoever has games is somebody. At most one query."""
        people = self._people()
        nobody = find_nobody(who for asked in people.values() for who in asked)
        for field, asked in people.items():
            if refused := [who for who in asked if who in nobody]:
                self.add_error(field, refusal_of(refused))

    @property
    def has_criteria(self) -> bool:
        """Whether the search asks for anything, readable or not."""
        return any(self.data.get(name) for name in self.fields)

    @property
    def omits_abandoned(self) -> bool:
        """Whether the order leaves abandoned games out."""
        _sign, column = ORDERS.get(self.data.get("order", ""), ("", ""))
        return column in EMPTY_IF_ABANDONED

    def show_counts(self, choices: Choices) -> None:
        """Let the form show beside each choice how many games it has."""
        for name, counted in choices:
            if name not in self.fields:
                continue
            games, widget = dict(counted), self.fields[name].widget
            widget.choices = [
                (key, _with_count(label, games.get(key, 0)) if key else label) for key, label in widget.choices
            ]

    def criteria(self) -> list[Criterion]:
        """What is searched by, in words; not what was refused beside its field. A hidden field cannot be corrected
        there: it can only be left out."""
        filled = [self[name] for name in self.fields if self.data.get(name)]
        used = [field for field in filled if field.is_hidden or not field.errors]
        return [Criterion(field.name, str(field.label), _in_words(field)) for field in used]

    def groups(self) -> list[Group]:
        """The fields but for the order, a few together; a group in which something is asked for is open."""
        groups = [
            (_("Who played"), ("player", "winner", "size", "computers")),
            (_("How it ended"), ("clan", "end", "tie", "five_clans", *_bounds("margin"), *_bounds("total"))),
            (_("When, and how long"), ("since", "until", *_bounds("moves"), "pace")),
            (_("Moves, table and talk"), ("opening", "title", "talk", "board")),
        ]
        return [
            Group(legend, [name for name in names if name in self.fields], any(map(self.data.get, names)))
            for legend, names in groups
        ]

    def namesakes(self) -> list[tuple[str, dict[str, str]]]:
        """Each person of imported games who is called as a player that is asked for, and the field that asks for them
        instead."""
        people = self._people()
        return [(name, {field: text}) for field, asked in people.items() for name, text in find_namesakes(asked)]

    @property
    def same_opening(self) -> str:
        """The moves by which the position that is asked for came about, if one can look for games that began so."""
        place = self.cleaned_data.get("position")
        return place.opening if place else ""


def _with_count(label: Any, games: int) -> str:
    return _("%(choice)s (%(games)s)") % {"choice": label, "games": number_format(games, force_grouping=True)}


def _in_words(field: forms.BoundField) -> str:
    value = str(field.value())
    if field.name == "position":
        return str(field.form.cleaned_data.get("position", value))
    if field.name in {"player", "winner"}:
        return value.strip(", ")
    if isinstance(day := field.form.cleaned_data.get(field.name), date):
        return name_days(day, day)
    choices = {str(key): str(text) for key, text in getattr(field.field, "choices", ())}
    return choices.get(value, value)


def find_games(cleaned: dict[str, Any], *, viewer: Player | None, mine: bool) -> QuerySet[Game] | QuerySet[Seat]:
    """The finished games that fit `cleaned`, the cleaned data of a SearchForm, in its order: games, or a
    player's seats at them where one is named, because an index finds those at once.

    Public ones; where they are to be `mine`, the viewer's, those by link among them.
    """
    sign, column = ORDERS[cleaned["order"]]
    people: list[Who] = cleaned["player"]
    players = [who.player for who in people if who.player]
    if viewer and mine:
        players = list(dict.fromkeys([viewer, *players]))
    winner: Who | None = cleaned["winner"]
    first = next(iter(players), winner and winner.player)
    games: QuerySet[Any]
    if first is None:
        games, to_game, key = Game.objects.filter(status=Game.Status.FINISHED), "", "pk"
        order = (sign + column, sign + "pk")
    else:
        games, to_game, key = Seat.objects.filter(player=first, ended_at__isnull=False), "game__", "game"
        order = (sign + ("" if column == "ended_at" else to_game) + column, sign + "game_id")
    if not mine:
        games = games.filter(**{f"{to_game}is_public": True, f"{to_game}is_listed": True})
    columns = {to_game + name: value for name, value in _about_columns(cleaned, mine=mine).items()}
    if column in EMPTY_IF_ABANDONED:
        columns[f"{to_game}{column}__isnull"] = False
    if cleaned["talk"] == "no":
        games = games.exclude(**{to_game + name: value for name, value in _has_talk(mine=mine).items()})
    for keys in _sets_of_games(cleaned):
        games = games.filter(**{f"{key}__in": keys})
    return games.filter(**columns).filter(*_about_seats(cleaned, first, players[1:], key)).order_by(*order)


def _sets_of_games(cleaned: dict[str, Any]) -> Iterator[QuerySet[Any, Any]]:
    """The keys of games that an index finds at once: a set for each position, opening and person without an account
    that is asked for."""
    if cleaned["position"]:
        yield _games_with(key=cleaned["position"].key)
    if cleaned["opening"]:
        yield _games_with(shape__in=cleaned["opening"])
    for who in cleaned["player"]:
        if who.player is None:
            yield _games_of(who.name)
    if cleaned["winner"] and cleaned["winner"].player is None:
        yield _games_of(cleaned["winner"].name).filter(_has_won(cleaned))


def _games_with(**position: Any) -> QuerySet[PassedPosition, Any]:
    """The keys of games that passed through such a position. A game does so once. Without `distinct` PostgreSQL would
    check the games one by one in order, which it takes for fast if many fit."""
    return PassedPosition.objects.filter(**position).values("game").distinct()


def _games_of(name: str) -> QuerySet[Seat, Any]:
    """Games in which somebody without an account is called so."""
    return Seat.objects.finished_without_account(name).values("game").distinct()


def _has_won(cleaned: dict[str, Any]) -> Q:
    """What is true of the seat that won, by the clan that is asked for."""
    return Q(rank=1, clan=cleaned["clan"]) if cleaned["clan"] else Q(rank=1)


def _about_columns(cleaned: dict[str, Any], *, mine: bool) -> dict[str, Any]:
    """The conditions on columns of the game, as look-ups."""
    found = {name: cleaned[name] for name in ("size", "end", "five_clans", "board") if cleaned.get(name)}
    if cleaned["computers"]:
        found["has_computers"] = cleaned["computers"] == "yes"
    if cleaned["clan"] and not cleaned["winner"]:
        found["winning_clans__in"] = sets_of_clans_with(cleaned["clan"])
    if cleaned["tie"]:
        found["margin" if cleaned["tie"] == "yes" else "margin__gt"] = 0
    for name, column in RANGES.items():
        sides = {f"{column}__gte": cleaned[f"{name}_from"], f"{column}__lte": cleaned[f"{name}_to"]}
        found |= {look_up: value for look_up, value in sides.items() if value is not None}
    if cleaned["pace"]:
        found |= _has_pace(cleaned["pace"])
    if cleaned["talk"] == "yes":
        found |= _has_talk(mine=mine)
    if cleaned["title"]:
        # The database makes these capitals as it makes those of the column: SQLite leaves letters such as é small.
        found["upper_name__contains"] = Upper(Value(cleaned["title"]))
    if cleaned["since"]:
        found["ended_at__gte"] = _midnight(cleaned["since"])
    if cleaned["until"]:
        found["ended_at__lt"] = _midnight(cleaned["until"] + timedelta(days=1))
    return found


def _has_pace(key: str) -> dict[str, Any]:
    """Any time for a move that is nearest to that preset. Games that were imported have no opener, and no pace."""
    hours = clocks.hours_near(key)
    return {"move_hours__range": (hours[0], hours[-1]), "opener__isnull": False}


def _has_talk(*, mine: bool) -> dict[str, Any]:
    """Talk that everybody may read, and in the reader's own games all talk: a search must not tell others that
    something was said to players only (design 4.5)."""
    return {"said__gt": 0} if mine else {"said__gt": 0, "talk__in": (Game.Talk.END, Game.Talk.OPEN)}


def _about_seats(cleaned: dict[str, Any], first: Player | None, others: list[Player], key: str) -> list[Any]:
    """What the seats of the game tell: that of the player `first`, which is looked through, and those of others; `key`
    is the name of the game's key in what is looked through."""
    seats = Seat.objects.filter(game=OuterRef(key))
    found: list[Any] = [Exists(seats.filter(player=player)) for player in others]
    if cleaned["winner"] and (winner := cleaned["winner"].player):
        won = _has_won(cleaned)
        found.append(won if winner == first else Exists(seats.filter(won, player=winner)))
    return found


def _midnight(day: date) -> datetime:
    """When that day begins for the reader."""
    return timezone.make_aware(datetime.combine(day, time()))
