"""Work that is owed, as rows: a worker leases a row by a conditional update, so that of many that try at once one gets
it. Serves mails, invitations, calls of webhooks, and mails that come in."""

from games.outbox.leased import MAX_CRASHES, Leased
from games.outbox.leases import (
    backoff,
    claim,
    new_claim,
    next_chance,
    quarantine,
    release,
    retry,
    retry_quarantined,
    update,
    workable,
)

__all__ = [
    "MAX_CRASHES",
    "Leased",
    "backoff",
    "claim",
    "new_claim",
    "next_chance",
    "quarantine",
    "release",
    "retry",
    "retry_quarantined",
    "update",
    "workable",
]
