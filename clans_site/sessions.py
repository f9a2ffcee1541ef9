"""Sessions in the database, as Django keeps them, but with the query that every page asks written once."""

from __future__ import annotations

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from games.prepared import fetch


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Session | None:
        """The session of this key, None if it is unknown or over."""
        if found := fetch(_alive, self.session_key or "", timezone.now()):
            return found[0]
        self._session_key = None
        return None


def _alive(key: str, at: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=at)
