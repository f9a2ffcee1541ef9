"""Tables with their seats and moves."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.guarded import Guarded, ReadOnly, link_to_search
from games.models import Game, Move, Seat


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    extra = 0
    ordering = ("number", "joined")
    fields = ("number", "name", "player", "is_bot", "resigned_at", "agrees_to_abandon", "chips", "total", "rank")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).defer("clan", "entropy").select_related("player")


class MoveInline(ReadOnly, admin.TabularInline):
    model = Move
    extra = 0
    ordering = ("ply",)
    fields = ("ply", "seat", "text", "by_bot", "at")


@admin.register(Game)
class GameAdmin(Guarded, admin.ModelAdmin):
    """A name that offends can be changed, and a table taken off the lists; the game itself cannot be touched."""

    list_display = ("name", "slug", "status", "size", "ply", "awaited", "due_at", "created_at", "ended_at")
    list_filter = ("status", "end", "is_public", "five_clans", "size")
    list_select_related = ("awaited",)
    search_fields = ("name", "slug", "seats__name")
    ordering = ("-id",)
    inlines = (SeatInline, MoveInline)
    fields = (
        "name",
        "is_public",
        "page",
        "opener",
        "status",
        "size",
        "five_clans",
        "created_at",
        "started_at",
        "ended_at",
        "end",
        "board",
        "first",
        "ply",
        "to_move",
        "awaited",
        "turn_since",
        "free_until",
        "due_at",
        "overdue",
        "notices",
        "commitment",
    )
    readonly_fields = tuple(name for name in fields if name not in {"name", "is_public"})

    def save_model(self, request: HttpRequest, obj: Game, form: Any, change: bool) -> None:
        """Only what was changed here: the game may have moved on meanwhile."""
        obj.save(update_fields=form.changed_data)

    @admin.display(description=_("page"))
    def page(self, game: Game) -> SafeString:
        return format_html('<a href="{0}">{0}</a>', game.get_absolute_url())

    @admin.display(description=_("notices"))
    def notices(self, game: Game) -> SafeString:
        return link_to_search("notice", game.slug, _("What its players were told, and what waits"))

    @admin.display(description=_("commitment"))
    def commitment(self, game: Game) -> str:
        return str(Game.objects.filter(pk=game.pk).values_list("deal__commitment", flat=True).get())
