"""What all pages of the operator have in common."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.http import HttpRequest

SECRET_OF_SEAT: Final = ("seat__clan", "seat__entropy")


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
