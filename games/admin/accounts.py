"""Players and their groups, addresses and keys."""

from __future__ import annotations

from typing import Any, ClassVar

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
from django.db.models import ManyToManyField
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.guarded import Guarded, ReadOnly, link_to_search
from games.models import Player


class ChoiceField(ModelMultipleChoiceField):
    """Django's, but a number that is too large for the database is no valid choice instead of an error of the site."""

    def clean(self, value: Any) -> Any:
        try:
            return super().clean(value)
        except OverflowError:
            raise ValidationError(_("Select valid choices."), code="invalid_choice") from None


@admin.register(Player)
class PlayerAdmin(Guarded, admin.ModelAdmin):
    """Accounts: who may sign in and who may see these pages."""

    formfield_overrides: ClassVar[Any] = {ManyToManyField: {"form_class": ChoiceField}}

    list_display = ("username", "email", "is_active", "is_staff", "mail_mode", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "mail_mode")
    search_fields = ("username", "email")
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
        "mail_bounced_at",
        "mail_bounce",
        "mails",
        "last_login",
        "date_joined",
        "closed_at",
    )
    readonly_fields = (
        *("username", "email", "mail_bounced_at", "mail_bounce", "mails", "last_login", "date_joined", "closed_at"),
    )

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Not of accounts that are closed, as nobody comes in by them any more; of superusers only by superusers."""
        if obj is not None and (obj.closed_at is not None or (obj.is_superuser and not _is_superuser(request))):
            return False
        return super().has_change_permission(request, obj)

    def get_form(self, request: HttpRequest, obj: Player | None = None, change: bool = False, **options: Any) -> Any:
        """Of a name Django would say what other sites allow, and of a locked account nothing of games and mails."""
        helps = {
            "username": _("Only its player can change it."),
            "is_active": _(
                "Without this mark the player is signed out, cannot sign in and gets no mail. Their games go on: when"
                " their time runs out, what the table has agreed on happens."
            ),
            "mail_bounce": _("What the mail server said of the address. The player can ask for mail again."),
        }
        return super().get_form(request, obj, change, help_texts=helps, **options)

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Who may see these pages is for superusers to say."""
        rights = () if _is_superuser(request) else ("is_staff", "is_superuser", "groups")
        return (*self.readonly_fields, *rights)

    @admin.display(description=_("mails"))
    def mails(self, player: Player) -> SafeString:
        return link_to_search("mail", player.username, _("What was mailed to this player"))


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
class EmailAddressAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__username")
    fields = ("user", "email", "primary", "verified")


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnly, admin.ModelAdmin):
    """Passkeys and second factors; one that was lost can be deleted."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__email")
    fields = ("user", "type", "created_at", "last_used_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)
