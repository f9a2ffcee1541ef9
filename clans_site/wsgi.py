"""What gunicorn serves."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from clans_site.serving import note_served

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")

application = get_wsgi_application()

note_served()

# All pages, once for all processes that are forked from here: Django would load them at the first request of each.
_ = get_resolver().url_patterns

# What has been loaded by now stays, and what a page leaves behind is rarely garbage that needs to be looked for: Python
# would look for it several times a page. Processes that are forked from here go on sharing what is frozen.
gc.freeze()
gc.set_threshold(20_000)
