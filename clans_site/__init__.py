"""Wiring only: settings, addresses, the Celery app, and what starts the site."""

from clans_site.celery import app as celery_app

__all__ = ["celery_app"]
