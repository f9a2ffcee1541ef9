from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin import apps as admin
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Clans")

    def ready(self) -> None:
        """Begin with the mail provider, where there is one."""
        if settings.MAIL_PROVIDER:
            from games.mail.transport import provider

            provider.begin()
            if settings.REPLY_ADDRESS:
                from games.inbox import provider as inbox_provider

                inbox_provider.begin()


class OperatorsAdminConfig(admin.AdminConfig):
    """Django's admin, entered as this site wants it."""

    default = False
    default_site = "games.operators.OperatorsAdminSite"
