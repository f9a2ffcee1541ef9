"""Whether the site does what it owes, for whoever watches it: a plain sentence, and a status that says it too."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import hooks, mail


@never_cache
@require_safe
def health(request: object) -> HttpResponse:
    """200 when all is in order, 503 with what is not. Says numbers alone: neither tables nor players.

    What takes long to find was looked for by the worker, once an hour (`games.tasks.note_faults`).
    """
    at = timezone.now()
    found = [*mail.noted_faults(), *mail.late_faults(at=at), *hooks.faults(at=at)]
    said = "\n".join(found) or _("All is in order.")
    return HttpResponse(f"{said}\n", content_type="text/plain; charset=utf-8", status=503 if found else 200)
