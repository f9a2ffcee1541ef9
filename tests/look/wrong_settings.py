"""The site's settings with the addresses of `tests.look.wrong`, for a server."""

from clans_site.settings import *  # noqa: F403

ROOT_URLCONF = "tests.look.wrong"
