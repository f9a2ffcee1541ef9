"""What holds on every page in every state: sentences begin with a capital (names of players stay as their players write
them), and what a drawing uses is on the page."""

from __future__ import annotations

import re

import pytest

from games.models import COMPUTER, Player
from tests.elements import parse
from tests.look.stage import Stage, set_stage
from tests.look.visits import VISITS, Visit

TEXTS = "h1, h2, h3, p, li, dd, label, legend, summary, button, a.button, figcaption"
SENTENCE = re.compile(r"[a-z][^@]*[.!?]")


def faults_of(html: bytes, names: set[str]) -> set[str]:
    """The sentences that begin with a small letter and no name, and what buttons say."""
    found = set()
    for part in parse(html).select(TEXTS):
        text = " ".join(part.get_text().split())
        is_button = part.name in ("button", "a") and text[:1].islower()
        if (is_button or SENTENCE.fullmatch(text)) and re.split(r"[ ,:’]", text)[0] not in names:
            found.add(text)
    return found


def lost_parts(html: bytes) -> set[str]:
    """What drawings use and the page does not define: they show nothing there. Small boards never show counters."""
    text = html.decode()
    lost = set(re.findall('<use [^>]*href="#([^"]+)"', text)) - set(re.findall(' id="([^"]+)"', text))
    return {name for name in lost if not re.fullmatch("n[12]-[a-z]+", name)}


@pytest.fixture
def stage(db: None) -> Stage:
    return set_stage()


def test_every_page_is_whole_and_its_sentences_begin_with_a_capital(stage: Stage) -> None:
    names = {COMPUTER, *Player.objects.values_list("username", flat=True)}
    small, lost = {}, {}
    for visit in _pages():
        html = stage.answer(visit).content
        small.update(dict.fromkeys(faults_of(html, names), str(visit)))
        lost.update(dict.fromkeys(lost_parts(html), str(visit)))
    assert (small, lost) == ({}, {})


def _pages() -> list[Visit]:
    return [visit for visit in VISITS if visit.route not in {"mailbox_html", "table_feed"}]


def test_it_finds_a_part_that_is_not_there() -> None:
    assert lost_parts(b'<svg><use href="#seal-1"/><use href="#hut"/></svg><svg><g id="hut"></g></svg>') == {"seal-1"}


@pytest.mark.parametrize(
    ("html", "is_fault"),
    [
        (b"<p>it is your move.</p>", True),
        (b"<p>It is your move.</p>", False),
        (b"<p>alice moved C4 to D1.</p>", False),
        (b"<button>sit down</button>", True),
        (b"<p>twelve villages</p>", False),
    ],
)
def test_it_tells_a_sentence_from_a_name(html: bytes, is_fault: bool) -> None:
    assert bool(faults_of(html, {"alice"})) is is_fault
