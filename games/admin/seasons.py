"""Seasons of leagues."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.forms import BooleanField, ModelForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.guarded import Guarded
from games.models import Season
from games.play import call_off_season


class CallingOffForm(ModelForm):
    """Whether to call a season off."""

    calls_off = BooleanField(
        label=_("call it off"),
        required=False,
        help_text=_(
            "An open season is closed at once; a mail tells its opener and all who have joined. One that runs ends with"
            " the round that is being played; everybody gets the mail of its end then. This cannot be taken back."
        ),
    )

    class Meta:
        model = Season
        fields: ClassVar[list[str]] = []


@admin.register(Season)
class SeasonAdmin(Guarded, admin.ModelAdmin):
    """Seasons of leagues, to call one off; nothing else of them can be changed."""

    list_display = ("name", "slug", "status", "format", "size", "rounds", "opener", "created_at", "ended_at")
    list_filter = ("status", "is_public", "format")
    list_select_related = ("opener",)
    search_fields = ("name", "slug", "opener__username")
    ordering = ("-id",)
    readonly_fields = (
        *("name", "page", "opener", "status", "is_public", "is_rated", "format", "size", "rounds", "ends_on"),
        *("created_at", "started_at", "ended_at"),
    )
    fields = (*readonly_fields, "calls_off")
    form = CallingOffForm

    def has_change_permission(self, request: HttpRequest, obj: Season | None = None) -> bool:
        """Not of those that are over."""
        is_over = obj is not None and obj.status == Season.Status.OVER
        return not is_over and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Season, form: Any, change: bool) -> None:
        if form.cleaned_data["calls_off"]:
            call_off_season(obj, at=timezone.now())

    @admin.display(description=_("page"))
    def page(self, season: Season) -> SafeString:
        return format_html('<a href="{0}">{0}</a>', season.get_absolute_url())
