"""The site as it is served, with the addresses of `bench._urls`."""

from django.conf import settings

from clans_site.wsgi import application

__all__ = ["application"]

settings.ROOT_URLCONF = "bench._urls"
