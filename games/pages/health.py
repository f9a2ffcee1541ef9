"""Whether the site does what it owes, for monitoring: a plain sentence, and a status with the same meaning."""

from __future__ import annotations

import shutil
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import hooks, mail
from games.outage import only_reads

LEAST_ROOM: Final = 100_000_000
"""Bytes. With a full disk nobody can move or sign in, and SQLite needs room for the file beside it."""


@never_cache
@require_safe
def health(request: object) -> HttpResponse:
    """200 when all is in order, 503 with what is not. Says only numbers: neither tables nor players.

    The worker looks once an hour for what takes long to find (`games.tasks.note_faults`).
    """
    at = timezone.now()
    found = [*mail.noted_faults(), *_faults_of_database(at)]
    if shutil.disk_usage(settings.VAR_DIR).free < LEAST_ROOM:
        found.append(_("The disk is nearly full: less than 100 MB are free."))
    said = "\n".join(found) or _("All is in order.")
    return HttpResponse(f"{said}\n", content_type="text/plain; charset=utf-8", status=503 if found else 200)


def _faults_of_database(at: datetime) -> list[str]:
    """What is wrong with it, and what is overdue in it. One query more than the latter costs, on PostgreSQL."""
    try:
        refusal = [_("The database takes no writes: nobody can sign in or play.")] if only_reads() else []
        return [*refusal, *mail.late_faults(at=at), *hooks.faults(at=at)]
    except (InterfaceError, OperationalError):
        return [_("The database cannot be used: nobody can read or play.")]
