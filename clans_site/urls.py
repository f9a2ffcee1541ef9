"""The site's addresses."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path

# The admin asks for the second factor too, and counts attempts.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("games.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]

if settings.BOUNCE_WEBHOOK_SECRET:
    from games.mail import provider

    urlpatterns.append(path("anymail/", include(provider.webhooks())))
