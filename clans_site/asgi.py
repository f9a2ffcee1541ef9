"""For servers that speak ASGI; `make run` and the operating guide use WSGI, which is measurably quicker here."""

import os

from django.core.asgi import get_asgi_application

from clans_site.serving import note_served

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")

application = get_asgi_application()

note_served()
