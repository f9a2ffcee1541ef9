"""Points of a season in words."""

from __future__ import annotations

from django.utils.translation import gettext as _, ngettext


def write_points(halves: int) -> str:
    """Points that are counted in halves, as a number: `2½`."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


def say_points(halves: int) -> str:
    """The same in words: `2½ points`."""
    if halves % 2:
        return _("%(number)s points") % {"number": write_points(halves)}
    return ngettext("%(number)s point", "%(number)s points", halves // 2) % {"number": write_points(halves)}
