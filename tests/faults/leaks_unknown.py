"""The site with an address that the tests know no value for."""

from __future__ import annotations

from django.urls import path

from clans_site.urls import urlpatterns as site_urls
from games.pages.lists.home import home

urlpatterns = [*site_urls, path("cards/<slug:card>/", home, name="card")]
