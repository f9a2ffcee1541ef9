"""The site as it is served, with the addresses of `bench._urls`."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")
settings.ROOT_URLCONF = "bench._urls"
application = get_wsgi_application()
