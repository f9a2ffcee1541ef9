"""The site as it is served, with two addresses that do nothing: what any page costs at least."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from clans_site.wsgi import application

__all__ = ["application"]

settings.ROOT_URLCONF = __name__


def hello(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


def hello_player(request: HttpRequest) -> HttpResponse:
    """With the session and the player from the database, as every page of a signed-in player has to."""
    return HttpResponse(f"hello {request.user}")


urlpatterns = [path("hello/", hello), path("hello/player/", hello_player), path("", include("clans_site.urls"))]
