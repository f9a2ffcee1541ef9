"""A new table: how many seats, who sits in them, which rules."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext_lazy
from django.views.decorators.http import require_http_methods

from games import play
from games.models import Game, Player
from games.pages.answers import SeeOther
from games.pages.forms import JoinForm

OPEN_AT_ONCE = 20
UNFINISHED_AT_ONCE = 100


class NewTableForm(JoinForm):
    """The choices for a table that `player` opens."""

    name = forms.CharField(label=gettext_lazy("Name of the table"), max_length=60)
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
    is_public = forms.TypedChoiceField(
        label=gettext_lazy("Who finds the table"),
        choices=[
            ("yes", gettext_lazy("Everybody: it is listed, and so is the finished game")),
            ("no", gettext_lazy("Only those who have its link")),
        ],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
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
    field_order = ("name", "size", "bots", "is_public", "five_clans", "words", "chance")

    def __init__(self, data: Any = None, *, player: Player, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial, label_suffix="")
        self.player = player

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        size, bots = values.get("size", 4), values.get("bots", 0)
        if bots >= size:
            message = ngettext_lazy(
                "Of %(size)s seats the first is yours, which leaves room for %(room)s computer player.",
                "Of %(size)s seats the first is yours, which leaves room for %(room)s computer players.",
                "room",
            )
            self.add_error("bots", ValidationError(message, params={"size": size, "room": size - 1}))
        if not self.errors:
            self._check_room()
        return values

    def _check_room(self) -> None:
        """Raise ValidationError when the player has opened more than anybody can look after."""
        unfinished = Game.objects.filter(opener=self.player).exclude(key=self.key)
        if unfinished.filter(status=Game.Status.OPEN).count() >= OPEN_AT_ONCE:
            message = _("You have %(count)s open tables, which is as many as one player may have. Start or close one.")
            raise ValidationError(message, params={"count": OPEN_AT_ONCE})
        if unfinished.filter(status=Game.Status.RUNNING).count() >= UNFINISHED_AT_ONCE:
            message = _("%(count)s games that you opened are still running. Finish one before you open another.")
            raise ValidationError(message, params={"count": UNFINISHED_AT_ONCE})

    @property
    def key(self) -> str:
        """Names the submission: sent twice, opened once. Empty where the form brought no chance of its own."""
        values = self.cleaned_data
        if not values.get("chance"):
            return ""
        return sha256(repr(sorted(values.items())).encode()).hexdigest()

    def open(self) -> Game:
        """The table, opened; the same one again for a form that is sent again."""
        values = self.cleaned_data
        return play.open_table(
            self.player,
            name=values["name"],
            size=values["size"],
            bots=values["bots"],
            five_clans=values["five_clans"],
            is_public=values["is_public"],
            entropy=self.entropy,
            key=self.key,
            at=timezone.now(),
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """The form; opens the table and goes there."""
    player = cast("Player", request.user)
    data = request.POST if request.method == "POST" else None
    form = NewTableForm(data, player=player, initial=_initial(request, player))
    if form.is_valid():
        return SeeOther(form.open().get_absolute_url())
    return render(request, "games/new_table.html", {"form": form}, status=422 if form.is_bound else 200)


def _initial(request: HttpRequest, player: Player) -> dict[str, Any]:
    """What is chosen beforehand; `?against=computer` is for who wants to begin at once."""
    bots = 2 if request.GET.get("against") == "computer" else 0
    name = _("%(player)s’s table") % {"player": player.username}
    return {"name": name[:60], "size": 3, "bots": bots, "five_clans": "score", "is_public": "yes"}
