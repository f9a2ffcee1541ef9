"""The forms of a table, what other forms are made of, and what waits for somebody who has to sign in first."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext, gettext_lazy as _, ngettext_lazy

from games import inbox
from games.limits import POSTCARDS
from games.models import LONGEST_POSTCARD, MailMode, Player, Seat, Suspicion, has_address, plain_title, plain_words
from games.pages.counting import network_of, refused
from games.words import one_line

UNSEEN = _("Leave out the signs that cannot be seen.")
CHOOSE = _("Choose one of these.")
REFUSALS: Final = {
    forms.Field: {"required": _("Fill this in.")},
    forms.CharField: {
        "max_length": ngettext_lazy(
            "At most %(limit_value)d letter fits here, and these are %(show_value)d.",
            "At most %(limit_value)d letters fit here, and these are %(show_value)d.",
            "limit_value",
        ),
        "null_characters_not_allowed": UNSEEN,
    },
    forms.EmailField: {"invalid": _("That is not an e-mail address.")},
    forms.IntegerField: {
        "invalid": _("Write a whole number."),
        "min_value": _("At least %(limit_value)s."),
        "max_value": _("At most %(limit_value)s."),
    },
    forms.DateField: {"invalid": _("That is not a day of the calendar. Write it as 2026-12-31.")},
    forms.TimeField: {"invalid": _("That is not a time of day.")},
    forms.ChoiceField: {"required": CHOOSE, "invalid_choice": CHOOSE},
}
"""What a field says when it refuses something. A field uses the messages of every class listed here that it is an
instance of."""


class PlainForm(forms.BaseForm):
    """A form that refuses in the words of this site, not in Django's, and whose labels end without a colon."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)
        for field in self.fields.values():
            for kind, said in REFUSALS.items():
                if isinstance(field, kind):
                    field.error_messages.update(said)


def first_error(form: forms.BaseForm) -> str:
    """What a form that is not valid says first."""
    return next(str(error) for errors in form.errors.values() for error in errors)


def read_number(text: str) -> int:
    """The number that a page of this site has sent; 0 for whatever else is sent. Every column takes it."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def new_chance() -> str:
    """A random text for the deal, for browsers that make none themselves."""
    return secrets.token_hex(16)


class NameInput(forms.TextInput):
    """Where one types names of players or addresses of mail: no browser corrects them or makes their first letter
    large."""

    def __init__(self, autocomplete: str = "off") -> None:
        super().__init__({"autocomplete": autocomplete, "autocapitalize": "none", "spellcheck": "false"})


class LineField(forms.CharField):
    """A line that others read, also in mails: line ends in it become blanks, other invisible characters are refused."""

    def to_python(self, value: str | None) -> str:
        return " ".join((super().to_python(value) or "").split())

    def run_validators(self, value: str) -> None:
        super().run_validators(value)
        if value != one_line(value):
            raise ValidationError(UNSEEN, code="unseen")


class AddressField(forms.CharField):
    """An address that is pasted: no address has blanks, line ends or invisible characters, so they are left out."""

    def to_python(self, value: str | None) -> str:
        return "".join(letter for letter in super().to_python(value) or "" if letter.isprintable() and letter != " ")


class TitleField(LineField):
    """What something is called: letters in their normal form (NFKC), none of them invisible, and no address, because
    mails to strangers have it. Nor is it a line with which mails are answered."""

    def to_python(self, value: str | None) -> str:
        line = super().to_python(value)
        try:
            title = plain_title(line) if line else ""
        except ValueError:
            raise ValidationError(UNSEEN, code="unseen") from None
        if has_address(title):
            raise ValidationError(_("Leave out addresses of sites and of mail."), code="address")
        if inbox.is_request(title):
            raise ValidationError(_("Choose another name: players answer mails with a line like this."), code="request")
        return title


class YesOrNoField(forms.TypedChoiceField):
    """A question with an answer in words for `yes` and one for `no`; None without an answer."""

    widget = forms.RadioSelect

    def __init__(self, *, yes: Any, no: Any, **options: Any) -> None:
        choices = [("yes", yes), ("no", no)]
        super().__init__(choices=choices, coerce=lambda value: value == "yes", empty_value=None, **options)


class WordsField(forms.CharField):
    """What somebody says, in lines; invisible characters are refused."""

    widget = forms.Textarea

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_POSTCARD, **options)

    def to_python(self, value: str | None) -> str:
        try:
            return plain_words(super().to_python(value) or "")
        except ValueError:
            raise ValidationError(UNSEEN, code="unseen") from None


class JoinForm(PlainForm, forms.Form):
    """What a player adds to the deal (design 1.6): words of their own if they like, and a random text, `chance`, that
    the browser's script replaces by one of its own."""

    words = LineField(
        label=_("Your own words for the deal"),
        help_text=_("If you like: they are mixed into the shuffle, and everybody can read them when the game is over."),
        max_length=120,
        required=False,
    )
    chance = forms.CharField(
        max_length=64, required=False, initial=new_chance, widget=forms.HiddenInput(attrs={"data-chance": ""})
    )

    @property
    def entropy(self) -> str:
        """What goes into the deal: at most 185 characters, never empty. Only after `is_valid()`."""
        chance = one_line(self.cleaned_data["chance"]) or new_chance()
        return " ".join(filter(None, (self.cleaned_data["words"], chance)))


class TurnForm(PlainForm, forms.Form):
    """What a form of a table was made for: the ply and, if moves were withdrawn, the edition of the game."""

    ply = forms.IntegerField(min_value=0, max_value=60)
    made_for = forms.IntegerField(min_value=0, max_value=1000, required=False)

    @property
    def edition(self) -> int:
        """The edition of the game that the form was made for. Only after `is_valid()`."""
        return self.cleaned_data["made_for"] or 0

    def key_of(self, move: str, *, page: str = "page") -> str:
        """What names the submission of a move in notation, `page-3-C4-D1` for that one at ply 3: sent twice from the
        same kind of `page`, it is played once. Only after `is_valid()`.

        No computer player that takes over the seat has such a key.
        """
        return f"{page}-{self.cleaned_data['ply']}-{move}"[:60]


class MoveForm(TurnForm):
    """A confirmed move, and what is said with it."""

    move = forms.CharField(max_length=40)
    order = forms.CharField(max_length=40, required=False)
    say = WordsField(required=False)

    @property
    def text(self) -> str:
        """The move in notation, with the founding order if one was chosen. Only after `is_valid()`."""
        move, order = self.cleaned_data["move"], self.cleaned_data["order"]
        return f"{move.partition('=')[0]}={order}" if order else move

    @property
    def refusal(self) -> str:
        """Why a form is not valid. The words with a move are refused by themselves, all else is hidden fields."""
        return " ".join(map(str, self.errors.get("say", ()))) or gettext(
            "Something was missing, so nothing was played."
        )


class PostcardForm(PlainForm, forms.Form):
    """A postcard, and the number of the last one on the page on which it was written."""

    say = WordsField()
    heard = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


class ReportForm(PlainForm, forms.Form):
    """What is wrong with a postcard, if its reader likes to say."""

    reason = WordsField(required=False)


class AbandonForm(PlainForm, forms.Form):
    """Whether the player agrees to abandon the game."""

    agrees = YesOrNoField(yes="yes", no="no")


class MailModeForm(PlainForm, forms.Form):
    """Which mail a player wants about one table; empty: as in their preferences."""

    mode = forms.ChoiceField(choices=[("", _("as for all tables")), *MailMode.choices], required=False)
    talk = forms.BooleanField(required=False)
    asks_talk = forms.BooleanField(required=False)

    @property
    def talk_mail(self) -> bool | None:
        """Whether mails come about the talk alone; None where that was not asked. Only after `is_valid()`."""
        return self.cleaned_data["talk"] if self.cleaned_data["asks_talk"] else None


class NotebookForm(PlainForm, forms.Form):
    """A player's note, with the time of the note that the page showed, and the mark that was tapped on their sheet:
    `2-red-suspected` marks that seat 2 may hold the red clan. Either may be missing."""

    text = forms.CharField(required=False)
    seen = forms.CharField(max_length=40, required=False)
    mark = forms.RegexField(
        rf"^([0-3])-({'|'.join(Seat.Clan.values)})-({'|'.join(Suspicion.Mark.values)})$", required=False
    )

    @property
    def written(self) -> str | None:
        """The note as it is stored, with line ends as everywhere except in forms. Only after `is_valid()`."""
        return "\n".join(self.cleaned_data["text"].splitlines()) if "text" in self.data else None

    @property
    def suspicion(self) -> tuple[int, str, str] | None:
        """Seat, clan and mark. Only after `is_valid()`."""
        if not self.cleaned_data["mark"]:
            return None
        about, clan, mark = self.cleaned_data["mark"].split("-")
        return int(about), clan, mark


# --- What could not be sent -------------------------------------------------------------------------
# Whoever sends a form after they were signed out signs in first. What they wrote waits in the session for them, and
# stands in the form again; nobody else who signs in finds it. Signing in sends nothing.

UNSENT: Final = "unsent"
"""In the session: the address of a page, the fields that were sent from there, and the key of their writer."""
MOST: Final = 10_000
"""Letters of all fields; no form of this site takes as many."""

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
PlayerView = Callable[Concatenate[HttpRequest, Player, P], HttpResponse]


def keep_unsent(request: HttpRequest, page: str) -> None:
    """Keep the fields of the request for `page` and for whoever was signed in last with this browser, if that is known.
    This stores a session, so visitors are counted by network, like those who write postcards."""
    writer = request.COOKIES.get(settings.PLAYER_COOKIE_NAME)
    fields = {name: values for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"}
    is_short = sum(len(value) for values in fields.values() for value in values) <= MOST
    if writer and is_short and not refused(POSTCARDS, request, person=network_of(request)):
        request.session[UNSENT] = [page, fields, writer]
        said = gettext(
            "You are signed out. What you wrote is kept for the account that was signed in here: sign in with it, and"
            " send it once more."
        )
        messages.info(request, said)


def unsent_at(request: HttpRequest, page: str) -> dict[str, str]:
    """The fields that wait for `page`, of several values the last; none if there are none."""
    return {name: values[-1] for name, values in _waiting(request, page).items()}


def _waiting(request: HttpRequest, page: str) -> dict[str, list[str]]:
    match request.session.get(UNSENT):
        case [where, fields, writer] if where == page and writer == str(request.user.pk):
            return cast("dict[str, list[str]]", fields)
        case _:
            return {}


def forget_unsent(request: HttpRequest) -> None:
    request.session.pop(UNSENT, None)


def refill(form: forms.BaseForm, request: HttpRequest) -> bool:
    """Fill what waits for this page into a form that is not being sent; whether there is anything."""
    fields = MultiValueDict(_waiting(request, request.get_full_path()))
    if form.is_bound or not fields:
        return False
    for name, field in form.fields.items():
        form.initial[name] = field.widget.value_from_datadict(fields, MultiValueDict(), form.add_prefix(name))
    return True


def for_players(view: PlayerView[P]) -> View[P]:
    """The view of a page that needs a player, which gets them after the request; a visitor signs in first."""

    @login_required
    @wraps(view)
    def shown(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, cast("Player", request.user), *args, **kwargs)

    return shown


def sign_in_to_send(view: PlayerView[P]) -> View[P]:
    """As `for_players`, for the view of a form that is filled by `refill`: what a visitor sends waits for it."""
    guarded = for_players(view)

    @wraps(view)
    def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.method == "POST" and request.user.is_authenticated:
            forget_unsent(request)
        elif request.method == "POST":
            keep_unsent(request, request.get_full_path())
        return guarded(request, *args, **kwargs)

    return asked
