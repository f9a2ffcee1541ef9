"""The Celery app. Workers only knock: what is owed stands in the database (docs/architecture.md)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")

app = Celery("clans")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
