"""The site's addresses."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

handler400 = "games.pages.errors.bad_request"
handler403 = "games.pages.errors.forbidden"
handler404 = "games.pages.errors.not_found"
handler500 = "games.pages.errors.server_error"

urlpatterns = [
    path("", include("games.urls")),
    path("accounts/", include("allauth.urls")),
    # The admin's own page knows no limits and sends no mail.
    path(
        "admin/password_change/", RedirectView.as_view(pattern_name="account_change_password"), name="operator_password"
    ),
    path("admin/", admin.site.urls),
]

if settings.BOUNCE_WEBHOOK_SECRET:
    from games.mail.transport import provider

    urlpatterns.append(path("anymail/", include(provider.webhooks())))
    if settings.REPLY_ADDRESS:
        from games.inbox import provider as inbox_provider

        urlpatterns.append(path("anymail/", include(inbox_provider.webhooks())))
