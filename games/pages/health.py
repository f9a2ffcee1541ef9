"""Whether the site does what it owes, for monitoring: a plain sentence, and a status with the same meaning."""

from __future__ import annotations

import shutil
from typing import Final

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import hooks, mail

LEAST_ROOM: Final = 100_000_000
"""Bytes. With a full disk nobody can move or sign in, and SQLite needs room for the file beside it."""


@never_cache
@require_safe
def health(request: object) -> HttpResponse:
    """200 when all is in order, 503 with what is not. Says only numbers: neither tables nor players.

    The worker looks once an hour for what takes long to find (`games.tasks.note_faults`).
    """
    at = timezone.now()
    found = mail.noted_faults()
    try:
        found += [*mail.late_faults(at=at), *hooks.faults(at=at)]
    except (InterfaceError, OperationalError):
        found.append(_("The database cannot be used: nobody can read or play."))
    if shutil.disk_usage(settings.VAR_DIR).free < LEAST_ROOM:
        found.append(_("The disk is nearly full: less than 100 MB are free."))
    said = "\n".join(found) or _("All is in order.")
    return HttpResponse(f"{said}\n", content_type="text/plain; charset=utf-8", status=503 if found else 200)
