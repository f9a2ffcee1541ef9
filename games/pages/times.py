"""Moments as `<time>` elements: `{% when moment %}` in templates, and functions for what pages join themselves."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from html import escape

from django.utils.safestring import SafeString

from games.words.times import Moment, Sentence, moment_from_now
from games.words.zone import zone_here


def when(moment: datetime) -> SafeString:
    """About how long ago in sight, the exact local time in the title and for those who listen."""
    return say_when(moment, now=datetime.now(UTC), zone=zone_here())


def say_when(moment: datetime, *, now: datetime, zone: tzinfo) -> SafeString:
    """`when` for long lists: what is the same for all of it is looked up once."""
    return time_element(moment_from_now(moment, now=now, zone=zone))


def time_element(moment: Moment) -> SafeString:
    """The element of a moment. Where the text in sight does not say the exact time, that is read out, too, and the text
    is short: it stays in one line."""
    exact, shown, listen = escape(moment.exact), escape(moment.shown), ""
    if moment.is_rough:
        # A moment long ago is shown by its day, with which the exact time begins.
        rest = exact.removeprefix(shown) if exact.startswith(shown) else f" ({exact})"
        shown = shown.replace(" ", "\N{NO-BREAK SPACE}")
        listen = f'<span class="visually-hidden">{rest}</span>'
    return SafeString(f'<time datetime="{moment.iso}" title="{exact}">{shown}{listen}</time>')


def show_sentence(sentence: Sentence) -> SafeString:
    """A sentence as markup, with its moments as elements."""
    template = SafeString(escape(sentence.template, quote=False))
    if not sentence.places:
        return template
    places = {
        name: escape(place) if isinstance(place, str) else time_element(place)
        for name, place in sentence.places.items()
    }
    return SafeString(template % places)
