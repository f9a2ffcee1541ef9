"""What the operator sees. Secrets are secret from the operator too: no card, no seed and no player's words for the deal
are here, neither in lists, forms and searches nor by way of a filter typed into the address. Nothing here plays, and
nothing here lets the operator sign in as somebody else: no password, address or passkey is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from allauth.account import admin as _account  # noqa: F401 (registers what is replaced below)
from allauth.account.models import EmailAddress
from allauth.mfa import admin as _mfa  # noqa: F401
from allauth.mfa.models import Authenticator
from allauth.usersessions import admin as _sessions  # noqa: F401
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangosGroupAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import ManyToManyField, QuerySet
from django.forms import BooleanField, ModelForm, ModelMultipleChoiceField
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.models import CONTENT, Game, Mail, Move, Notice, Player, Postcard, Report, Season, Seat
from games.play import call_off_season, hide_postcard

if TYPE_CHECKING:
    GameAdminBase = admin.ModelAdmin[Game]
    MailAdminBase = admin.ModelAdmin[Mail]
    NoticeAdminBase = admin.ModelAdmin[Notice]
    PlayerAdminBase = admin.ModelAdmin[Player]
    PostcardAdminBase = admin.ModelAdmin[Postcard]
    ReportAdminBase = admin.ModelAdmin[Report]
    SeasonAdminBase = admin.ModelAdmin[Season]
    HidingFormBase = ModelForm[Postcard]
    CallingOffFormBase = ModelForm[Season]
    AddressAdminBase = admin.ModelAdmin[Any]
    AuthenticatorAdminBase = admin.ModelAdmin[Any]
    SeatInlineBase = admin.TabularInline[Seat, Game]
    MoveInlineBase = admin.TabularInline[Move, Game]
    ChoiceFieldBase = ModelMultipleChoiceField[Any]
else:
    GameAdminBase = MailAdminBase = NoticeAdminBase = PlayerAdminBase = admin.ModelAdmin
    AddressAdminBase = AuthenticatorAdminBase = PostcardAdminBase = ReportAdminBase = admin.ModelAdmin
    SeasonAdminBase = admin.ModelAdmin
    HidingFormBase = CallingOffFormBase = ModelForm
    SeatInlineBase = MoveInlineBase = admin.TabularInline
    ChoiceFieldBase = ModelMultipleChoiceField


SECRET_OF_SEAT: Final = ("seat__clan", "seat__entropy")
AROUND: Final = 10
"""So many postcards before and after one that was reported the operator reads, too."""


class HidingForm(HidingFormBase):
    """Whether a postcard is hidden."""

    is_hidden = BooleanField(label=_("hidden"), required=False)

    class Meta:
        model = Postcard
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["is_hidden"].initial = self.instance.state == Postcard.State.HIDDEN


class Guarded:
    """Nothing is added or deleted, and lists are filtered only by what stands in their margin.

    Django would also filter by any column of the model that is typed into the address.
    """

    list_filter: ClassVar[Any] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup.split("__")[0] in self.list_filter

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(Guarded):
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnly, SeatInlineBase):
    model = Seat
    extra = 0
    ordering = ("number", "joined")
    fields = ("number", "name", "player", "is_bot", "resigned_at", "agrees_to_abandon", "chips", "total", "rank")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).defer("clan", "entropy").select_related("player")


class MoveInline(ReadOnly, MoveInlineBase):
    model = Move
    extra = 0
    ordering = ("ply",)
    fields = ("ply", "seat", "text", "by_bot", "at")


@admin.register(Game)
class GameAdmin(Guarded, GameAdminBase):
    """A name that offends can be changed, and a table taken off the lists; the game itself cannot be touched."""

    list_display = ("name", "slug", "status", "size", "ply", "awaited", "turn_since", "created_at", "ended_at")
    list_filter = ("status", "end", "is_public", "five_clans", "size")
    list_select_related = ("awaited",)
    search_fields = ("name", "slug", "seats__name")
    show_full_result_count = False
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
        "commitment",
    )
    readonly_fields = tuple(name for name in fields if name not in {"name", "is_public"})

    def save_model(self, request: HttpRequest, obj: Game, form: Any, change: bool) -> None:
        """Only what was changed here: the game may have moved on meanwhile."""
        obj.save(update_fields=form.changed_data)

    @admin.display(description=_("page"))
    def page(self, game: Game) -> SafeString:
        return format_html('<a href="{0}">{0}</a>', game.get_absolute_url())

    @admin.display(description=_("commitment"))
    def commitment(self, game: Game) -> str:
        return str(Game.objects.filter(pk=game.pk).values_list("deal__commitment", flat=True).get())


@admin.register(Notice)
class NoticeAdmin(ReadOnly, NoticeAdminBase):
    list_display = ("seat", "kind", "ply", "state", "reason", "due_at", "sent_at", "mail")
    list_filter = ("state", "kind")
    list_select_related = ("mail",)
    search_fields = ("seat__name", "seat__game__slug", "mail__message_id")
    show_full_result_count = False
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
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        return super().get_queryset(request).select_related("seat__game").defer("seat__clan", "seat__entropy")

    @admin.display(description=_("game"))
    def game(self, notice: Notice) -> SafeString:
        address = reverse("admin:games_game_change", args=(notice.seat.game_id,))
        return format_html('<a href="{}">{}</a>', address, notice.seat.game)


@admin.register(Mail)
class MailAdmin(ReadOnly, MailAdminBase):
    """The envelopes, without what they say."""

    list_display = ("player", "message_id", "state", "due_at", "attempts", "sent_at", "error", "detail")
    list_filter = ("state", "error")
    list_select_related = ("player",)
    search_fields = ("player__username", "message_id")
    show_full_result_count = False
    ordering = ("-id",)
    fields = (
        "player",
        "message_id",
        "state",
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
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mail]:
        return super().get_queryset(request).defer(*CONTENT)


@admin.register(Postcard)
class PostcardAdmin(Guarded, PostcardAdminBase):
    """What was reported, to hide it or show it again, and nothing else that was said."""

    list_display = ("game", "seat", "at", "state", "text")
    list_filter = ("state",)
    list_select_related = ("game", "seat")
    show_full_result_count = False
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


@admin.register(Report)
class ReportAdmin(Guarded, ReportAdminBase):
    """What players have reported, with what was said before and after, to be dealt with."""

    list_display = ("at", "state", "about", "reporter", "game", "text")
    list_filter = ("state",)
    list_select_related = ("about", "reporter", "game")
    search_fields = ("about__username", "reporter__username", "game__slug")
    show_full_result_count = False
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
            "", "<p>{} {} ({}): {}</p>", ((f"{at:%Y-%m-%d %H:%M}", name, state, text) for at, name, text, state in rows)
        )

    @admin.display(description=_("postcard"))
    def hide(self, report: Report) -> SafeString:
        if report.postcard is None:
            return SafeString()
        address = reverse("admin:games_postcard_change", args=(report.postcard.pk,))
        return format_html('<a href="{}">{}</a>', address, _("Hide it, or show it again"))


class CallingOffForm(CallingOffFormBase):
    """Whether to call a season off."""

    calls_off = BooleanField(
        label=_("call it off"),
        required=False,
        help_text=_(
            "An open season is closed at once. One that runs ends with the round that is being played; everybody gets"
            " the mail of its end then. This cannot be taken back."
        ),
    )

    class Meta:
        model = Season
        fields: ClassVar[list[str]] = []


@admin.register(Season)
class SeasonAdmin(Guarded, SeasonAdminBase):
    """Seasons of leagues, to call one off; nothing else of them can be changed."""

    list_display = ("name", "slug", "status", "format", "size", "rounds", "opener", "created_at", "ended_at")
    list_filter = ("status", "is_public", "format")
    list_select_related = ("opener",)
    search_fields = ("name", "slug", "opener__username")
    show_full_result_count = False
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


class ChoiceField(ChoiceFieldBase):
    """Django's, but a number that is too large for the database is no valid choice instead of an error of the site."""

    def clean(self, value: Any) -> Any:
        try:
            return super().clean(value)
        except OverflowError:
            raise ValidationError(_("Select valid choices."), code="invalid_choice") from None


@admin.register(Player)
class PlayerAdmin(Guarded, PlayerAdminBase):
    """Accounts: who may sign in and who may see these pages."""

    formfield_overrides: ClassVar[Any] = {ManyToManyField: {"form_class": ChoiceField}}

    list_display = ("username", "email", "is_active", "is_staff", "mail_mode", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "mail_mode")
    search_fields = ("username", "email")
    show_full_result_count = False
    ordering = ("-id",)
    fields = (
        "username",
        "email",
        "is_active",
        "is_staff",
        "is_superuser",
        "groups",
        "time_zone",
        "language",
        "mail_mode",
        "last_login",
        "date_joined",
        "closed_at",
    )
    readonly_fields = ("username", "email", "last_login", "date_joined", "closed_at")

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Not of accounts that are closed, as nobody comes in by them any more; of superusers only by superusers."""
        if obj is not None and (obj.closed_at is not None or (obj.is_superuser and not _is_superuser(request))):
            return False
        return super().has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Who may see these pages is for superusers to say."""
        rights = () if _is_superuser(request) else ("is_staff", "is_superuser", "groups")
        return (*self.readonly_fields, *rights)


def _is_superuser(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(DjangosGroupAdmin):
    formfield_overrides: ClassVar[Any] = {ManyToManyField: {"form_class": ChoiceField}}


# Whatever is deleted is deleted on its own page. This action of lists fails at keys that cannot be read.
admin.site.disable_action("delete_selected")

# allauth's own would let the operator give any account an address or a passkey of their own.
admin.site.unregister((EmailAddress, Authenticator, UserSession))


@admin.register(EmailAddress)
class EmailAddressAdmin(ReadOnly, AddressAdminBase):
    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__username")
    show_full_result_count = False
    fields = readonly_fields = ("user", "email", "primary", "verified")


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnly, AuthenticatorAdminBase):
    """Passkeys and second factors; one that was lost can be deleted."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__email")
    show_full_result_count = False
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)
