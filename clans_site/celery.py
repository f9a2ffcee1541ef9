"""The Celery app. A message says only where to look: what is owed stands in the database (docs/architecture.md)."""

import os
import warnings

from celery import Celery
from celery.exceptions import SecurityWarning

# In a container everybody is root, and says so at each start.
warnings.filterwarnings("ignore", category=SecurityWarning)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")

app = Celery("clans")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
