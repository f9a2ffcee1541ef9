"""The addresses of the API."""

from __future__ import annotations

from django.urls import path

from games.api.description import docs, openapi
from games.api.operations import api

app_name = "api"
urlpatterns = [
    path("", docs, name="docs"),
    path("openapi.json", openapi, name="openapi"),
    path("", api.urls),
]
