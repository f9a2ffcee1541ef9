"""The site with addresses at which something is wrong, each in the way that Django or allauth would find it."""

from __future__ import annotations

from allauth.core.internal.ratelimit import respond_429
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.csrf import csrf_failure

from clans_site.urls import urlpatterns as site_urls

ERRORS = {400: SuspiciousOperation, 403: PermissionDenied, 404: Http404, 500: RuntimeError}


def wrong(request: HttpRequest, status: int) -> HttpResponse:
    raise ERRORS[status]


def too_often(request: HttpRequest) -> HttpResponse:
    answer: HttpResponse = respond_429(request)
    return answer


urlpatterns = [
    *(path(f"wrong/{status}/", wrong, {"status": status}, name=f"wrong_{status}") for status in ERRORS),
    path("wrong/429/", too_often, name="wrong_429"),
    path("wrong/csrf/", csrf_failure, name="wrong_csrf"),
    *site_urls,
]
