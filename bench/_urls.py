"""The site's addresses and two that do nothing: what any page costs at least."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def hello(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


def hello_player(request: HttpRequest) -> HttpResponse:
    """With the session and the player from the database, as every page of a signed-in player has to."""
    return HttpResponse(f"hello {request.user}")


urlpatterns = [
    path("hello/", hello),
    path("hello/player/", hello_player),
    path("", include("clans_site.urls")),
]
