"""The search of the archive as parameters of the API: the form of its page reads them, and its fields document them."""

from __future__ import annotations

from typing import Any, Final, cast

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _, override

from games.api.finding import visible_to
from games.api.problems import WrongParameters
from games.models import Game, Player
from games.pages.lists.search import ANY, SearchForm

HINTS: Final = {
    "player": "Played by, as names with commas between them; `NAME (imported)` for whoever is called as a player"
    " here in games that were imported",
    "margin_from": "Margin from: by how many points the best total is above the next; 0 for a shared win",
    "since": "The day on which it ended, or a later one, as `2026-12-31`",
    "until": "The day on which it ended, or an earlier one, as `2026-12-31`",
    "talk": "Whether something was said there that you may read",
    "opening": "Opening moves, as `B2-B3 C4-C5`",
    "position": "The position of a game after so many moves: its `id` and their number, as `b7ck2mzq9d-12`",
    "title": "A part of the name of the table, in large or small letters",
}
"""What a field is called where its label says too little alone."""


class ApiSearch(SearchForm):
    """A search in which the position of a table by link is there for its players alone."""

    def __init__(self, *args: Any, viewer: Player | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.viewer = viewer
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                choices = ", ".join(value for value, _label in _choices_of(field) if value)
                field.error_messages["invalid_choice"] = _("Choose one of these: %(choices)s.") % {"choices": choices}

    def tables(self) -> QuerySet[Game]:
        return visible_to(self.viewer.pk if self.viewer else 0)


def read_search(request: HttpRequest, *, viewer: Player | None) -> ApiSearch:
    """A search that can be read. Raises WrongParameters."""
    search = ApiSearch(request.GET, viewer=viewer)
    if not search.is_valid():
        search.refuse_nobody()
    return _checked(search)


def refuse_nobody(search: ApiSearch) -> None:
    """Raises WrongParameters where a search that has found nothing asks for a name that nobody has."""
    search.refuse_nobody()
    _checked(search)


def _checked(search: ApiSearch) -> ApiSearch:
    if search.errors:
        errors = [(name, str(error)) for name, found in search.errors.items() for error in found]
        raise WrongParameters(errors)
    return search


def search_parameters() -> list[dict[str, Any]]:
    """The fields of the search as OpenAPI describes parameters, in English."""
    with override("en"):
        return [_describe_field(name, field) for name, field in SearchForm({}).fields.items()]


def _describe_field(name: str, field: forms.Field) -> dict[str, Any]:
    about = {"in": "query", "name": name, "required": False}
    return about | {"description": _describe(name, field), "schema": _schema_of(field)}


def _choices_of(field: forms.ChoiceField) -> list[tuple[str, str]]:
    # As their widget has them: those of a field may be a function.
    return [(str(value), str(label)) for value, label in cast("forms.Select", field.widget).choices]


def _describe(name: str, field: forms.Field) -> str:
    label = HINTS.get(name) or str(field.label)
    choices = _choices_of(field) if isinstance(field, forms.ChoiceField) else []
    meanings = [
        f"`{value}`: {text}" if value else f"empty: {text}" for value, text in choices if text not in (value, ANY)
    ]
    return f"{label}. {', '.join(meanings)}" if meanings else label


def _schema_of(field: forms.Field) -> dict[str, Any]:
    match field:
        case forms.ChoiceField():
            return {"type": "string", "enum": [value for value, _label in _choices_of(field)]}
        case forms.IntegerField():
            return {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}
        case forms.DateField():
            return {"type": "string", "format": "date"}
        case forms.CharField():
            return {"type": "string", "maxLength": field.max_length}
    raise TypeError(f"there is no description of {type(field).__name__}")
