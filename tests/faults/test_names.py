"""Who has closed their account is named nowhere any more (design 2.4): not on any page of anybody, not in any mail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games import play
from games.models import Notice
from tests.faults.addresses import Samples, routes
from tests.faults.browser import Browser, body_of
from tests.faults.scenery import NOW, Scenery
from tests.mail.composed import compose_undrawn

NAME = b"alice"


def pages(scenery: Scenery, viewer: str) -> Iterator[tuple[str, bytes]]:
    """The address and the answer of every page that there is to a viewer: the admin's to the operator, to others the
    site's own. What lies in the mailbox is mail."""
    browser, samples = Browser(scenery.viewer(viewer)), Samples(scenery)
    for route in routes():
        if route.text.startswith("/mailbox/") or route.name.startswith("admin:") != (viewer == "warden"):
            continue
        for path in samples.paths(route):
            answer = browser.get(path)
            yield path, answer.serialize_headers() + body_of(answer)


def naming(scenery: Scenery, viewer: str) -> list[str]:
    return [path for path, answer in pages(scenery, viewer) if NAME in answer.lower()]


@pytest.mark.parametrize("viewer", ["bob", "warden"])
def test_it_names_nobody_who_has_left(scenery: Scenery, viewer: str) -> None:
    """All pages are asked for before, too, so that whatever is kept has been kept under the old name."""
    assert len(naming(scenery, viewer)) > 20
    play.close_account(scenery.players["alice"], at=NOW)
    assert naming(scenery, viewer) == []


def mails_naming(scenery: Scenery) -> int:
    """How many of the mails to others, if they were sent now, have the name in them."""
    notices = Notice.objects.select_related("seat__game", "seat__player").exclude(seat__player=scenery.players["alice"])
    letters = compose_undrawn(notices)
    told = [f"{letter.subject} {letter.body} {letter.alternatives[0][0]!s}" for letter in letters]
    return sum(NAME.decode() in text.lower() for text in told)


def test_it_names_nobody_who_has_left_in_mails(scenery: Scenery) -> None:
    assert mails_naming(scenery) > 10
    play.close_account(scenery.players["alice"], at=NOW)
    assert mails_naming(scenery) == 0
