"""What is owed, and the envelopes."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.guarded import SECRET_OF_SEAT, ReadOnly
from games.models import CONTENT, InboundMail, Mail, Notice


@admin.register(Notice)
class NoticeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("seat", "kind", "ply", "state", "reason", "due_at", "sent_at", "mail")
    list_filter = ("state", "kind")
    list_select_related = ("mail",)
    search_fields = ("seat__name", "seat__game__slug", "mail__message_id")
    ordering = ("-id",)
    fields = (
        "game",
        "seat",
        "kind",
        "ply",
        "state",
        "reason",
        "created_at",
        "due_at",
        "sent_at",
        "mail",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        return super().get_queryset(request).select_related("seat__game").defer(*SECRET_OF_SEAT)

    @admin.display(description=_("game"))
    def game(self, notice: Notice) -> SafeString:
        address = reverse("admin:games_game_change", args=(notice.seat.game_id,))
        return format_html('<a href="{}">{}</a>', address, notice.seat.game)


_HANDLED = {
    InboundMail.State.SENT: _("handled, with a receipt"),
    InboundMail.State.SUPERSEDED: _("handled, without a receipt"),
}
"""What two of the states mean for a mail that came in; the others mean what they say."""


class HandledFilter(admin.SimpleListFilter):
    """The states of mails that came in, in words of their own."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, Any]]:
        return [(state.value, _HANDLED.get(state, state.label)) for state in InboundMail.State]

    def queryset(self, _request: HttpRequest, rows: QuerySet[InboundMail]) -> QuerySet[InboundMail]:
        return rows.filter(state=self.value()) if self.value() in InboundMail.State.values else rows


@admin.register(InboundMail)
class InboundMailAdmin(ReadOnly, admin.ModelAdmin):
    """The mails that came in, without what they say."""

    list_display = ("player", "received_at", "sender", "outcome", "handled", "size")
    list_filter = (HandledFilter, "outcome")
    list_select_related = ("player",)
    search_fields = ("player__username", "sender")
    ordering = ("-id",)
    fields = (
        "player",
        "received_at",
        "sender",
        "client",
        "helo",
        "size",
        "outcome",
        "handled",
        "due_at",
        "attempts",
        "crashes",
        "lease_until",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[InboundMail]:
        return super().get_queryset(request).defer("packed", "results")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup == HandledFilter.parameter_name or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("state"), ordering="state")
    def handled(self, mail: InboundMail) -> str:
        state = InboundMail.State(mail.state)
        return str(_HANDLED.get(state, state.label))


@admin.register(Mail)
class MailAdmin(ReadOnly, admin.ModelAdmin):
    """The envelopes, without what they say."""

    list_display = ("player", "state", "due_at", "sent_at", "attempts", "error", "detail")
    list_filter = ("state", "error")
    list_select_related = ("player",)
    search_fields = ("player__username", "message_id")
    ordering = ("-id",)
    fields = (
        "player",
        "about",
        "state",
        "message_id",
        "created_at",
        "due_at",
        "dated_at",
        "sent_at",
        "attempts",
        "crashes",
        "lease_until",
        "error",
        "detail",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mail]:
        return super().get_queryset(request).defer("address", *CONTENT)

    @admin.display(description=_("about"))
    def about(self, mail: Mail) -> SafeString:
        """What it tells of which table, a line for each."""
        notices = mail.notices.select_related("seat__game").defer(*SECRET_OF_SEAT).order_by("pk")
        told = (
            (reverse("admin:games_notice_change", args=(notice.pk,)), notice.get_kind_display(), notice.seat.game)
            for notice in notices
        )
        return format_html_join("", '<div><a href="{}">{}: {}</a></div>', told)
