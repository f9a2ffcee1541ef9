"""Sentences begin with a capital, on every page in every state. Names of players stay as their players write them."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup

from games.models import COMPUTER, Player
from tests.look.stage import Stage, set_stage
from tests.look.visits import VISITS, Visit

TEXTS = "h1, h2, h3, p, li, dd, label, legend, summary, button, a.button, figcaption"
SENTENCE = re.compile(r"[a-z][^@]*[.!?]")


def faults_of(html: bytes, names: set[str]) -> set[str]:
    """The sentences that begin with a small letter and no name, and what buttons say."""
    found = set()
    for part in BeautifulSoup(html, "lxml").select(TEXTS):
        text = " ".join(part.get_text().split())
        is_button = part.name in ("button", "a") and text[:1].islower()
        if (is_button or SENTENCE.fullmatch(text)) and re.split(r"[ ,:’]", text)[0] not in names:
            found.add(text)
    return found


@pytest.fixture
def stage(db: None) -> Stage:
    return set_stage()


def test_sentences_and_buttons_begin_with_a_capital(stage: Stage) -> None:
    names = {COMPUTER, *Player.objects.values_list("username", flat=True)}
    faults = {text: str(visit) for visit in _pages() for text in faults_of(stage.answer(visit).content, names)}
    assert faults == {}


def _pages() -> list[Visit]:
    return [visit for visit in VISITS if visit.route not in {"mailbox_html", "table_feed"}]


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
