"""Which mail a player wants, when, and what is in it: mode, digest, quiet hours, days off, other modes for some tables,
text, and what becomes of answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import time, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.formats import time_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from games import clocks, mail, play
from games.models import Game, MailAnswers, MailMode, MailText, Player, Seat
from games.pages.forms import PlainForm, refill, sign_in_to_send
from games.pages.player.mail_words import say_outlook
from games.pages.replies import done, status_of
from games.pages.times import show_sentence

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Choice = tuple[Any, str, "StrPromise"]

MOST_HOURS = 12
MOST_TABLES = 200
MOST_QUIET = timedelta(hours=16)
"""Some time of the day must be left in which a move can be due."""

HELP: dict[str, StrPromise] = {
    MailMode.EVERY: gettext_lazy(
        "A mail calls you whenever it is your turn. It waits a moment first: if you are at the table, none comes."
    ),
    MailMode.ONCE: gettext_lazy("One call, and then none until you have been here; reminders come all the same."),
    MailMode.DIGEST: gettext_lazy("What there is to tell comes as one mail, at the hours below."),
    MailMode.REMINDERS: gettext_lazy(
        "No call to the table. You are reminded when half of your time is over, and others may nudge you."
    ),
    MailMode.NOTHING: gettext_lazy("Not even reminders. The clock runs all the same, so look in now and then."),
}
HELP_WITH_TEXT: dict[str, StrPromise] = {
    MailText.SHORT: gettext_lazy("Enough beside the picture of the board."),
    MailText.FULL: gettext_lazy(
        "For reading offline, by ear or on braille: everything that a move needs, in sentences. Where the mail would "
        "be too large, it has fewer pictures, and tells some of many tables in short."
    ),
}
HELP_WITH_ANSWERS: dict[str, StrPromise] = {
    MailAnswers.ASK: gettext_lazy("A mail leads you to the page with your move, and you confirm it there."),
    MailAnswers.PLAY: gettext_lazy(
        "Quicker, but whoever can read your mail and send mail from your address could move for you. A mail tells you "
        "of each move that was played."
    ),
}


class CheckBoxes(forms.CheckboxSelectMultiple):
    """Check boxes of one short word, beside each other: joined as strings, as two dozen take 2 ms in a template."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        chosen = {str(key) for key in value or ()}
        boxes = format_html_join(
            "",
            '<label for="{0}"><input type="checkbox" id="{0}" name="{1}" value="{2}"{3}>{4}</label>',
            [
                (f"id_{name}_{key}", name, key, SafeString(" checked" if str(key) in chosen else ""), label)
                for key, label in self.choices
            ],
        )
        return format_html('<div id="id_{}" class="ticks ticks-{}">{}</div>', name, name.partition("_")[0], boxes)


def _hours() -> list[tuple[str, str]]:
    return [(str(hour), time_format(time(hour))) for hour in range(24)]


def _clock() -> forms.TimeInput:
    return forms.TimeInput(format="%H:%M", attrs={"type": "time"})


class MailForm(PlainForm, forms.ModelForm):  # type: ignore[type-arg]
    """The choices for all tables, and for each unfinished table of the player a mode of its own, if they like."""

    digest_hours = forms.MultipleChoiceField(
        label=gettext_lazy("Hours of the digest"), choices=_hours, widget=CheckBoxes, required=False
    )
    days_off = forms.MultipleChoiceField(
        label=gettext_lazy("Days off"), choices=list(WEEKDAYS.items()), widget=CheckBoxes, required=False
    )

    class Meta:
        model = Player
        fields = (
            "mail_mode",
            "reminds",
            "links_keepsake",
            "mail_text",
            "mail_answers",
            "digest_hours",
            "quiet_from",
            "quiet_until",
            "days_off",
            "presses",
        )
        widgets: ClassVar = {
            "mail_mode": forms.RadioSelect,
            "mail_text": forms.RadioSelect,
            "mail_answers": forms.RadioSelect,
            "quiet_from": _clock(),
            "quiet_until": _clock(),
        }
        labels: ClassVar = {
            "reminds": gettext_lazy("Remind me before my time runs out, and let others nudge me"),
            "links_keepsake": gettext_lazy("Link the keepsake in the mail that says that a game is over"),
            "quiet_from": gettext_lazy("from"),
            "quiet_until": gettext_lazy("until"),
            "presses": gettext_lazy("Move without signing in, by the button of the mail"),
        }

    def __init__(self, data: Any = None, *, instance: Player) -> None:
        initial = {"digest_hours": instance.hours, "days_off": list(instance.days_off)}
        super().__init__(data, instance=instance, initial=initial)
        if not settings.REPLY_ADDRESS:
            del self.fields["mail_answers"]
        self.tables = list(_tables_of(instance))
        self.old_hours = instance.digest_hours

    def modes(self) -> list[Choice]:
        return _explained(self["mail_mode"], HELP)

    def texts(self) -> list[Choice]:
        return _explained(self["mail_text"], HELP_WITH_TEXT)

    def answers(self) -> list[Choice]:
        return _explained(self["mail_answers"], HELP_WITH_ANSWERS)

    def modes_of_tables(self) -> list[tuple[str, str, str]]:
        """For each table the name of its field, its own name, and the mode that is chosen."""
        return [(f"table-{slug}", name, self._mode_of_table(slug, mode)) for slug, name, mode in self.tables]

    def choices_of_tables(self) -> list[tuple[str, Any]]:
        return [("", _("as for all tables")), *MailMode.choices]

    def has_exceptions(self) -> bool:
        return any(self._mode_of_table(slug, mode) for slug, _name, mode in self.tables)

    def _mode_of_table(self, slug: str, mode: str) -> str:
        """The mode that was chosen here; for a table without a choice its present one."""
        return str(self.data.get(f"table-{slug}", mode)) if self.is_bound else mode

    def chosen_modes(self) -> dict[str, str]:
        """The modes of tables that are to change, by slug."""
        return {
            slug: chosen for slug, _name, mode in self.tables if (chosen := self._mode_of_table(slug, mode)) != mode
        }

    def clean_digest_hours(self) -> str:
        """The hours as they are stored; the old ones if none are chosen and no digest is wanted."""
        hours = self.cleaned_data["digest_hours"]
        if len(hours) > MOST_HOURS:
            message = ngettext(
                "At most %(count)d hour. If you want more mails, choose every turn.",
                "At most %(count)d hours. If you want more mails, choose every turn.",
                MOST_HOURS,
            )
            raise ValidationError(message, params={"count": MOST_HOURS})
        wanted = {
            self.cleaned_data.get("mail_mode"),
            *(self._mode_of_table(slug, mode) for slug, _name, mode in self.tables),
        }
        if not hours and MailMode.DIGEST in wanted:
            raise ValidationError(_("Choose at least one hour, or no digest would ever go."))
        return ",".join(hours) or self.old_hours

    def clean_days_off(self) -> str:
        days = self.cleaned_data["days_off"]
        if len(days) > clocks.MOST_DAYS_OFF:
            most = clocks.MOST_DAYS_OFF
            message = ngettext("At most %(count)d day off a week.", "At most %(count)d days off a week.", most)
            raise ValidationError(message, params={"count": most})
        return "".join(days)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not set(self.chosen_modes().values()) <= {"", *MailMode.values}:
            raise ValidationError(_("There is no such mode."))
        if not {"quiet_from", "quiet_until"} & set(self.errors):
            self._check_quiet(values.get("quiet_from"), values.get("quiet_until"))
        return values

    def _check_quiet(self, begin: time | None, end: time | None) -> None:
        if begin is None and end is None:
            return
        if begin is None or end is None:
            self.add_error("quiet_until", _("Fill in both hours, or neither."))
        elif begin == end:
            self.add_error("quiet_until", _("From and until are the same. Leave both empty for no quiet hours."))
        elif _span(begin, end) > MOST_QUIET:
            hours = MOST_QUIET // timedelta(hours=1)
            message = ngettext(
                "That is more than %(count)d hour. Some of the day must be left to play.",
                "That is more than %(count)d hours. Some of the day must be left to play.",
                hours,
            )
            self.add_error("quiet_until", ValidationError(message, params={"count": hours}))


def _explained(field: forms.BoundField, meanings: Mapping[str, StrPromise]) -> list[Choice]:
    """Each choice: its radio button, its name and what it means."""
    return [(radio.tag(), capfirst(radio.choice_label), meanings[radio.data["value"]]) for radio in field]


def _span(begin: time, end: time) -> timedelta:
    """The time from one hour of the day to the next occurrence of the other."""
    return timedelta(hours=end.hour - begin.hour, minutes=end.minute - begin.minute) % timedelta(days=1)


def _tables_of(player: Player) -> Iterator[tuple[str, str, str]]:
    """Slug, name and mode of each unfinished table, newest first, as far as MOST_TABLES. A query."""
    unfinished = Seat.objects.filter(
        player=player, total=None, game__status__in=(Game.Status.OPEN, Game.Status.RUNNING)
    )
    yield from unfinished.order_by("-game_id").values_list("game__slug", "game__name", "mail_mode")[:MOST_TABLES]


@sign_in_to_send
def mail_preferences(request: HttpRequest, player: Player) -> HttpResponse:
    """The form, with what it means for the next mail."""
    before, outlook = player.calendar(), say_outlook(player, at=timezone.now())
    form = MailForm(request.POST if request.method == "POST" else None, instance=player)
    if form.is_valid():
        _save(form, player, has_new_calendar=player.calendar() != before)
        return done(request, "mail_preferences", _("Your preferences are saved."))
    refill(form, request)
    page = {"form": form, "outlook": show_sentence(outlook)}
    return render(request, "games/mail_preferences.html", page, status=status_of(form))


def _save(form: MailForm, player: Player, *, has_new_calendar: bool) -> None:
    """Save the choices and decide again about mail that waits. Deadlines move, but none comes sooner than was
    promised."""
    at = play.now()
    form.save(commit=False).save(update_fields=list(form.fields))
    mail.choose_modes(player, form.chosen_modes(), at=at)
    if has_new_calendar:
        play.reset_clocks(player, at=at, keeps_promise=True)
