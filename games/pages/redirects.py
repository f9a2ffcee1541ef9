"""Answers that lead to another page."""

from __future__ import annotations

from django.http import HttpResponseRedirect


class SeeOther(HttpResponseRedirect):
    """After a POST: what came of it is to be read by GET over there, so that reloading sends nothing twice."""

    status_code = 303
