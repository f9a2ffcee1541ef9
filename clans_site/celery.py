"""The Celery app. A message says only where to look: what is owed stands in the database (design 3.1)."""

import os
import warnings

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import task_postrun, task_prerun
from django.db import close_old_connections

# In a container everybody is root, and says so at each start.
warnings.filterwarnings("ignore", category=SecurityWarning)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")

app = Celery("clans")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@task_prerun.connect
@task_postrun.connect
def keep_connections(**about: object) -> None:
    """Close a connection to the database that is old or broken, as Django does around each request."""
    close_old_connections()
