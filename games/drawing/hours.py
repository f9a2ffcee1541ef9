"""What was done at each hour of the day, as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

WIDE, HIGH, BAR = 456, 110, 13


def draw_hours(counts: Sequence[int]) -> SafeString:
    """A bar for each hour from midnight on. It is decoration: what it shows is to be said beside it."""
    most, step = max(counts), WIDE / len(counts)
    bars = "".join(
        f'<rect x="{hour * step + (step - BAR) / 2:g}" y="{HIGH - height:g}" width="{BAR}" height="{height:g}"/>'
        for hour, count in enumerate(counts)
        if (height := round(count * HIGH / most, 1))
    )
    hours = "".join(
        f'<text x="{hour * step + step / 2:g}" y="{HIGH + 20}">{hour:02}</text>' for hour in range(0, len(counts), 3)
    )
    return SafeString(
        f'<svg width="{WIDE}" viewBox="0 -2 {WIDE} {HIGH + 26}" aria-hidden="true">'
        f'<g fill="var(--accent-paper)" stroke="currentColor">{bars}<path d="M0 {HIGH}H{WIDE}"/></g>'
        f'<g class="label" fill="currentColor" text-anchor="middle">{hours}</g></svg>'
    )
