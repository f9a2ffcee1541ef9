"""The site's settings, with pages compressed as the proxy before a real site does it."""

from clans_site.settings import *  # noqa: F403
from clans_site.settings import MIDDLEWARE as INNER

MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", *INNER]
