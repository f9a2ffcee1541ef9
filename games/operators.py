"""Who may enter the admin, and how."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _, gettext_lazy

SECOND_FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


class OperatorsAdminSite(AdminSite):
    """Django's, but people sign in on the page that everybody has, which counts attempts and asks for the second
    factor, and a superuser must have one."""

    site_header = site_title = gettext_lazy("Administration of Clans by mail")

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not _lacks_second_factor(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if _lacks_second_factor(request):
            messages.warning(request, _("Whoever may change everything needs a second factor: set one up first."))
            return redirect("mfa_index")
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer


def _lacks_second_factor(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False)) and not is_mfa_enabled(request.user, SECOND_FACTORS)
