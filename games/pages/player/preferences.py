"""A player's preferences: play, looks, clock, language; mail has a page of its own. Each is a column of `Player`
(games/models/player.py)."""

from __future__ import annotations

from importlib import resources
from typing import Any, ClassVar, cast

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy

from games import mail, play
from games.caching import cached
from games.models import PageFor, Player
from games.pages.forms import PlainForm, refill, sign_in_to_send
from games.pages.replies import done, status_of
from games.words.times import name_place

REGIONS = {
    "Africa": gettext_lazy("Africa"),
    "America": gettext_lazy("America"),
    "Antarctica": gettext_lazy("Antarctica"),
    "Asia": gettext_lazy("Asia"),
    "Atlantic": gettext_lazy("Atlantic Ocean"),
    "Australia": gettext_lazy("Australia"),
    "Europe": gettext_lazy("Europe"),
    "Indian": gettext_lazy("Indian Ocean"),
    "Pacific": gettext_lazy("Pacific Ocean"),
}


class ZoneSelect(forms.Widget):
    """Time zones by region. Four hundred options, each by a template, would take 20 ms; joined once they take none."""

    def use_required_attribute(self, initial: Any) -> bool:
        """Never: a zone is always chosen, and a select without an empty option may not ask for one."""
        return False

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        options = _options()
        chosen = format_html('<option value="{}"', value or "UTC")
        if chosen not in options:
            options = format_html("{}>{}</option>{}", chosen, value, options)
        options = mark_safe(options.replace(chosen, f"{chosen} selected", 1))  # noqa: S308
        given = format_html_join("", ' {}="{}"', [("name", name), *(attrs or {}).items()])
        return format_html("<select data-zone{}>{}</select>", given, options)


@cached(most=20)
def _options() -> SafeString:
    """A time zone for each place."""
    zones = _zones()
    groups = [(label, _options_of(region, zones)) for region, label in REGIONS.items()]
    everywhere = format_html('<option value="UTC">{}</option>', _("Universal time (UTC)"))
    return everywhere + format_html_join("", '<optgroup label="{}">{}</optgroup>', groups)


def _zones() -> list[str]:
    """The zones by the names that hold today, as the table of tzdata has them: it leaves out former names, which a
    player's clock may still have."""
    table = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    return sorted(line.split("\t")[2] for line in table.splitlines() if not line.startswith("#"))


def _options_of(region: str, zones: list[str]) -> SafeString:
    names = [name for name in zones if name.startswith(f"{region}/")]
    places = [name_place(name.removeprefix(f"{region}/").replace("/", ", ")) for name in names]
    return format_html_join("", '<option value="{}">{}</option>', zip(names, places, strict=True))


class PreferencesForm(PlainForm, forms.ModelForm):  # type: ignore[type-arg]
    """How to play, how it looks, whose clock, and the language where there is a choice."""

    class Meta:
        model = Player
        fields = ("confirms_moves", "goes_on", "sees_motion", "white_clan", "page_for", "time_zone", "language")
        widgets: ClassVar = {"time_zone": ZoneSelect, "page_for": forms.RadioSelect}
        labels: ClassVar = {
            "confirms_moves": gettext_lazy("Ask me before a move is played"),
            "goes_on": gettext_lazy("Take me on after a move"),
            "sees_motion": gettext_lazy("Let the huts walk"),
        }
        help_texts: ClassVar = {
            "confirms_moves": gettext_lazy("Without this, choosing the target plays the move at once."),
            "goes_on": gettext_lazy("The next table that waits for me opens, not the one where I have just moved."),
            "sees_motion": gettext_lazy(
                "When somebody has moved while I look on. A device that asks for little motion gets none."
            ),
            "white_clan": gettext_lazy("Some printings of the game have a white clan where others have a black one."),
            "time_zone": gettext_lazy("Pages and mails show its hours, and your quiet hours go by it."),
        }

    def __init__(self, data: Any = None, *, instance: Player) -> None:
        super().__init__(data, instance=instance)
        self.fields["page_for"].required = False
        pages = cast("forms.RadioSelect", self.fields["page_for"].widget)
        pages.choices = [(value, capfirst(label)) for value, label in PageFor.choices]
        if len(settings.LANGUAGES) < 2 or (self.is_bound and "language" not in self.data):
            # There is one language, or there was when the page was opened.
            del self.fields["language"]
        if "shown" in self.data:
            shown = self.data["shown"].split()
            for box in self._boxes():
                # A page that was open during an update cannot know a newer box: that keeps its value.
                box.field.disabled = box.name not in shown

    def clean_page_for(self) -> str:
        """Unchanged if the form does not say: a form that is older than the question must not show a hidden page."""
        return str(self.cleaned_data["page_for"] or self.instance.page_for)

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The check boxes, grouped by what they are about."""
        return [
            (_("Playing"), [self["confirms_moves"], self["goes_on"]]),
            (_("Looks"), [self["sees_motion"], self["white_clan"]]),
        ]

    def _boxes(self) -> list[forms.BoundField]:
        return [box for _legend, boxes in self.groups() for box in boxes]

    def shown(self) -> str:
        """The names of the boxes, which the page sends along: a box that is off sends nothing."""
        return " ".join(box.name for box in self._boxes() if not box.field.disabled)


@sign_in_to_send
def preferences(request: HttpRequest, player: Player) -> HttpResponse:
    """The form, and the ways to the pages about address, password and passkeys."""
    form = PreferencesForm(request.POST if request.method == "POST" else None, instance=player)
    if form.is_valid():
        _save(form, player)
        return done(request, "preferences", _("Your preferences are saved."))
    refill(form, request)
    about = {"form": form, "hooks": player.webhooks.addresses().count() if player.has_webhooks else 0}
    return render(request, "games/preferences.html", about, status=status_of(form))


def _save(form: PreferencesForm, player: Player) -> None:
    """Save the preferences. Another zone is another calendar: the site decides again about mail that waits, and no
    deadline comes sooner than was promised."""
    form.save(commit=False).save(update_fields=list(form.fields))
    if "time_zone" in form.changed_data:
        at = play.now()
        mail.replan(player, at=at)
        play.reset_clocks(player, at=at, keeps_promise=True)
