"""Postcards that were reported, and the reports."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import BooleanField, ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.guarded import SECRET_OF_SEAT, Guarded
from games.models import Postcard, Report
from games.play import hide_postcard

AROUND: Final = 10
"""How many postcards before and after a reported one the operator may read, too."""


class HidingForm(ModelForm):
    """Whether a postcard is hidden."""

    is_hidden = BooleanField(label=_("hidden"), required=False)

    class Meta:
        model = Postcard
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["is_hidden"].initial = self.instance.state == Postcard.State.HIDDEN


@admin.register(Postcard)
class PostcardAdmin(Guarded, admin.ModelAdmin):
    """What was reported, to hide it or show it again, and nothing else that was said."""

    list_display = ("game", "seat", "at", "state", "text")
    list_filter = ("state",)
    list_select_related = ("game", "seat")
    ordering = ("-id",)
    fields = ("game", "seat", "ply", "at", "edited_at", "text", "is_hidden")
    readonly_fields = ("game", "seat", "ply", "at", "edited_at", "text")
    form = HidingForm

    def get_queryset(self, request: HttpRequest) -> QuerySet[Postcard]:
        return super().get_queryset(request).filter(reports__isnull=False).distinct().defer(*SECRET_OF_SEAT)

    def has_change_permission(self, request: HttpRequest, obj: Postcard | None = None) -> bool:
        """Not of what its writer has removed."""
        is_gone = obj is not None and obj.state == Postcard.State.REMOVED
        return not is_gone and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Postcard, form: Any, change: bool) -> None:
        hide_postcard(obj, is_hidden=form.cleaned_data["is_hidden"])


def _write_moment(at: datetime) -> str:
    """A moment by the clock of whoever reads, as the admin writes it elsewhere."""
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")


@admin.register(Report)
class ReportAdmin(Guarded, admin.ModelAdmin):
    """What players have reported, with what was said before and after, to be dealt with."""

    list_display = ("at", "state", "about", "reporter", "game", "text")
    list_filter = ("state",)
    list_select_related = ("about", "reporter", "game")
    search_fields = ("about__username", "reporter__username", "game__slug")
    ordering = ("-id",)
    fields = ("at", "game", "about", "reporter", "reason", "text", "context", "hide", "state", "notes")
    readonly_fields = ("at", "game", "about", "reporter", "reason", "text", "context", "hide")

    @admin.display(description=_("what was said before and after"))
    def context(self, report: Report) -> SafeString:
        """The talk around the postcard as it stands now."""
        if report.postcard is None:
            return SafeString()
        number = report.postcard.number
        around = report.game.postcards.filter(number__range=(number - AROUND, number + AROUND)).order_by("number")
        rows = around.values_list("at", "seat__name", "text", "state")
        return format_html_join(
            "", "<p>{} {} ({}): {}</p>", ((_write_moment(at), name, state, text) for at, name, text, state in rows)
        )

    @admin.display(description=_("postcard"))
    def hide(self, report: Report) -> SafeString:
        if report.postcard is None:
            return SafeString()
        address = reverse("admin:games_postcard_change", args=(report.postcard.pk,))
        return format_html('<a href="{}">{}</a>', address, _("Hide it, or show it again"))
