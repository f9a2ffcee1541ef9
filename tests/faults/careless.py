"""The site with pages that a crawler must notice: one writes when it is read, one leads nowhere, one breaks."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from clans_site.urls import urlpatterns as site_urls
from games.models import Player


def counting(request: HttpRequest) -> HttpResponse:
    Player.objects.update(language="en")
    return HttpResponse('<a href="../nowhere/">on</a><img src="/static/nowhere.png"><a href="/careless/breaking/">')


def breaking(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


urlpatterns = [path("careless/", counting), path("careless/breaking/", breaking), *site_urls]
