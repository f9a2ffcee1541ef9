"""The form of a new table: how many seats, who sits in them, how fast they play, which rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import cached_property, lazy
from django.utils.translation import gettext as _, gettext_lazy, ngettext_lazy

from games import play, rules
from games.clocks import LEAST_MOVE, MOST_MOVE, MOST_RESERVE, OWN_PACE, PRESETS_BY_KEY, key_of_pace
from games.models import MOST_GAMES, Deal, Game, Player
from games.pages.forms import JoinForm, TitleField, YesOrNoField
from games.pages.lists.favorites import Companion
from games.pages.lists.guests import GuestsField, KeptForField
from games.pages.lists.opening_limits import check_tables, key_of
from games.words.pace import name_preset, say_preset
from games.words.spans import HOUR

LEAST_HOURS, MOST_HOURS = LEAST_MOVE // HOUR, MOST_MOVE // HOUR
MOST_DAYS = MOST_RESERVE.days
FOLDED = ("games", "is_rated", "allows_vacation", "overdue", "allows_takeover", "five_clans", "talk", "words")
"""The choices that most players leave as they are."""
ABOUT_PACE = gettext_lazy("A turn that takes longer draws on its player’s reserve, which is for the whole game.")

_REFIXED = gettext_lazy(
    "The draw is fixed anew, since the page that you sent was too old or not complete. Send the form once more."
)
_USED = gettext_lazy(
    "This form has already opened the table %(table)s. To open another one, send the form once more: its draw is fixed "
    "anew."
)


def preset_choices() -> list[tuple[str, str]]:
    """The presets of the pace as choices, each with what it grants, as markup."""
    return [
        (key, render_to_string("games/_preset.html", {"name": name_preset(key), "meaning": say_preset(preset)}))
        for key, preset in PRESETS_BY_KEY.items()
    ]


def _paces() -> list[tuple[str, str]]:
    """The presets, and a pace of one's own."""
    return [*preset_choices(), (OWN_PACE, _("another pace"))]


def choices_of(terms: play.Terms) -> dict[str, Any]:
    """What the form begins with for a table that is played by these terms."""
    said = {True: "yes", False: "no"}
    choices = {name: said[term] if isinstance(term, bool) else term for name, term in terms._asdict().items()}
    return choices | {
        "pace": key_of_pace(terms.move_hours, terms.reserve_hours),
        "reserve_days": terms.reserve_hours // 24,
    }


class NewTableForm(JoinForm):
    """The choices for a table that `player` opens."""

    name = TitleField(label=gettext_lazy("Name of the table"), max_length=60)
    size = forms.TypedChoiceField(
        label=gettext_lazy("Seats"), choices=[(n, n) for n in (2, 3, 4)], coerce=int, widget=forms.RadioSelect
    )
    bots = forms.TypedChoiceField(
        label=gettext_lazy("Computer players"),
        help_text=gettext_lazy("They take seats at once. The first seat is yours, the others are for people."),
        choices=[(0, gettext_lazy("none")), (1, 1), (2, 2), (3, 3)],
        coerce=int,
        widget=forms.RadioSelect,
    )
    board = forms.ChoiceField(
        label=gettext_lazy("Map"), choices=lambda: [(board, board) for board in rules.BOARDS], widget=forms.RadioSelect
    )
    is_public = YesOrNoField(
        label=gettext_lazy("Who finds the table"),
        yes=gettext_lazy("Everybody: it is listed, and so is the finished game"),
        no=gettext_lazy("Only those who have its link"),
    )
    guests = GuestsField()
    favorites = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Invite people from your list"),
        help_text=gettext_lazy("Answer times suit a pace that gives at least four times as much for a move."),
        coerce=int,
        required=False,
    )
    keeps_seats = forms.BooleanField(label=gettext_lazy("Keep seats for them"), required=False)
    kept_for = KeptForField()
    pace = forms.ChoiceField(
        label=gettext_lazy("Pace"),
        help_text=ABOUT_PACE,
        choices=lazy(_paces, list)(),
        widget=forms.RadioSelect,
    )
    move_hours = forms.IntegerField(
        label=gettext_lazy("Hours for each move"),
        help_text=gettext_lazy("From 12 to 336, which is 14 days."),
        required=False,
    )
    reserve_days = forms.IntegerField(
        label=gettext_lazy("Days in reserve"),
        help_text=gettext_lazy("From 0 to 30, for the whole game."),
        required=False,
    )
    games = forms.IntegerField(
        label=gettext_lazy("Games in a row"),
        help_text=gettext_lazy(
            "More than one, up to 12, make a series: after each game the next table is opened for the same people, a"
            " total runs, and each says when they are ready."
        ),
        min_value=1,
        max_value=MOST_GAMES,
        required=False,
    )
    is_rated = YesOrNoField(
        label=gettext_lazy("Ratings"),
        help_text=gettext_lazy("A table that is open by link only, or has computer players, never counts for ratings."),
        yes=gettext_lazy("the game counts"),
        no=gettext_lazy("it does not count"),
        required=False,
    )
    allows_vacation = YesOrNoField(
        label=gettext_lazy("Vacations"),
        yes=gettext_lazy("stop the clock"),
        no=gettext_lazy("do not stop it"),
    )
    overdue = forms.ChoiceField(
        label=gettext_lazy("When a player’s time runs out"),
        choices=[
            ("autopilot", gettext_lazy("The autopilot makes the move, and the seat stays the player’s")),
            ("abandon", gettext_lazy("The game is abandoned, and nobody wins")),
        ],
        widget=forms.RadioSelect,
    )
    allows_takeover = YesOrNoField(
        label=gettext_lazy("Seats of players who resign or stay away for three turns"),
        help_text=gettext_lazy("Whoever takes one over plays on with its card. The game then counts for no rating."),
        yes=gettext_lazy("Somebody else may take them over"),
        no=gettext_lazy("Only computer players move for them"),
        required=False,
    )
    five_clans = forms.ChoiceField(
        label=gettext_lazy("House rule"),
        help_text=gettext_lazy(
            "In a village of all five clans each clan with a single hut loses it. "
            "If all five still have huts after that, the village …"
        ),
        choices=[
            ("score", gettext_lazy("… scores for all five, as the manual says")),
            ("nothing", gettext_lazy("… scores nothing, as some like to play")),
        ],
        widget=forms.RadioSelect,
    )
    talk = forms.ChoiceField(
        label=gettext_lazy("Who reads what the players say"),
        help_text=gettext_lazy("At a table that is open by link only the players alone do."),
        choices=[
            (Game.Talk.PLAYERS, gettext_lazy("The players alone")),
            (Game.Talk.END, gettext_lazy("Everybody, once the game is over")),
            (Game.Talk.OPEN, gettext_lazy("Everybody")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    deal = forms.CharField(required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        player: Player,
        initial: dict[str, Any] | None = None,
        companions: Sequence[Companion] = (),
    ) -> None:
        # What is added to the deal stands last.
        own = [name for name in self.base_fields if name not in JoinForm.base_fields]
        super().__init__(data, initial=initial, field_order=own)
        self.companions = {companion.pk: companion for companion in companions}
        self.fields["favorites"].choices = list(self.companions.items())  # type: ignore[attr-defined]
        self.player, self.fixed = player, play.find_deal((data or {}).get("deal", ""), opener=player)
        if len(rules.BOARDS) == 1:
            del self.fields["board"]

    def clean_games(self) -> int:
        """One, if nothing is filled in."""
        return 1 if self.cleaned_data["games"] is None else int(self.cleaned_data["games"])

    def clean_talk(self) -> str:
        """Only the players, if nothing is chosen."""
        return self.cleaned_data["talk"] or Game.Talk.PLAYERS

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        self._add_favorites(values)
        size, bots = values.get("size", 4), values.get("bots", 0)
        if bots >= size:
            message = ngettext_lazy(
                "Of %(size)s seats the first is yours, which leaves room for %(room)s computer player.",
                "Of %(size)s seats the first is yours, which leaves room for %(room)s computer players.",
                "room",
            )
            self.add_error("bots", ValidationError(message, params={"size": size, "room": size - 1}))
        elif bots == size - 1 and values.get("guests"):
            self.add_error("guests", _("Computer players take all the other seats, so nobody can be invited."))
        self._check_pace(values)
        if not self.fixed:
            self.add_error(None, _REFIXED)
        if not self.errors:
            self._check_unused()
            check_tables(self.player, key=key_of(self), is_alone=bots == size - 1)
        return values

    def _add_favorites(self, values: dict[str, Any]) -> None:
        """Add the people who are ticked to the guests, except those who were typed, too."""
        if "guests" in values and "favorites" in values:
            typed = {name.casefold() for name in values["guests"]}
            names = [self.companions[pk].name for pk in values["favorites"]]
            values["guests"] += tuple(name for name in names if name.casefold() not in typed)

    @property
    def choices_of_favorites(self) -> list[tuple[Companion, bool]]:
        """Who can be ticked, and whether they are."""
        ticked = {str(pk) for pk in self["favorites"].value() or ()}
        return [(companion, str(pk) in ticked) for pk, companion in self.companions.items()]

    @cached_property
    def offer(self) -> str:
        """The deal that the form offers, in the form in which it comes back: the one that was sent, or a new one."""
        return str(self.data["deal"] if self.fixed else play.offer_deal(self.player))

    @property
    def commitment(self) -> str:
        """The hash of the deal that the form offers."""
        return self.offer.partition("-")[2]

    def offer_another_deal(self) -> None:
        """Forget the deal that was sent, which another table has."""
        self.fixed, self.offer = None, str(play.offer_deal(self.player))

    def _check_unused(self) -> None:
        """Raise ValidationError when another form has opened a table with this deal."""
        deals = Deal.objects.filter(commitment=self.commitment, version=rules.DEAL_VERSION)
        if used := deals.exclude(game__key=key_of(self)).select_related("game").first():
            self.offer_another_deal()
            raise ValidationError(_USED, params={"table": used.game.name})

    def _check_pace(self, values: dict[str, Any]) -> None:
        """Take the hours of the preset, or those that were filled in if they are within bounds."""
        chosen = PRESETS_BY_KEY.get(values.get("pace", ""))
        if chosen:
            for field in ("move_hours", "reserve_days"):
                self.errors.pop(field, None)
            values |= {"move_hours": chosen.move_hours, "reserve_days": chosen.reserve_hours // 24}
        elif values.get("pace") == OWN_PACE:
            self._check_bounds("move_hours", values, least=LEAST_HOURS, most=MOST_HOURS)
            self._check_bounds("reserve_days", values, least=0, most=MOST_DAYS)

    def _check_bounds(self, field: str, values: dict[str, Any], *, least: int, most: int) -> None:
        value = values.get(field)
        if field not in self.errors and (value is None or not least <= value <= most):
            places = {"least": least, "most": most}
            self.add_error(field, ValidationError(_("A whole number from %(least)s to %(most)s."), params=places))

    @property
    def has_more(self) -> bool:
        """Whether there is an unusual choice, or an error, under "More choices"."""
        return any(
            self[name].errors
            or str(self[name].value() or self.initial.get(name, "")) != str(self.initial.get(name, ""))
            for name in FOLDED
        )

    def open(self, *, follows: Game | None = None) -> Game:
        """The table, opened; the same one again for a form that is sent again."""
        values = self.cleaned_data | {"reserve_hours": 24 * self.cleaned_data["reserve_days"]}
        return play.open_table(
            self.player,
            name=values["name"],
            size=values["size"],
            bots=values["bots"],
            terms=play.Terms(**{name: values[name] for name in play.Terms._fields if values.get(name) is not None}),
            follows=follows,
            games=values["games"],
            guests=play.Guests(values["guests"], values["keeps_seats"], values["kept_for"]),
            fixed=self.fixed,
            entropy=self.entropy,
            key=key_of(self),
            at=timezone.now(),
        )
