"""What all pages of the operator have in common."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

SECRET_OF_SEAT: Final = ("seat__clan", "seat__entropy")


def link_to_search(model: str, asked: str, text: str | Promise) -> SafeString:
    """A link to the list of a model of games, named in small letters, with what a search for `asked` finds there."""
    query = urlencode({"q": asked})
    return format_html('<a href="{}?{}">{}</a>', reverse(f"admin:games_{model}_changelist"), query, text)


class Guarded:
    """Nothing is added or deleted, and lists are filtered only by what stands in their margin.

    Django would also filter by any column of the model that is typed into the address.
    """

    list_filter: ClassVar[Any] = ()
    show_full_result_count = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup.split("__")[0] in self.list_filter

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(Guarded):
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
