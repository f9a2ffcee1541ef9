"""The same as test_noise.py, with 20,000 mails."""

from __future__ import annotations

from typing import Final

from hypothesis import given

from tests.inbox.noise import Noise, answers, asks_for_nothing_else, damaged, is_read, noise, trees, tried

MANY: Final = 5_000
"""Of each of the four kinds."""


@tried(MANY)
@given(answers())
def test_it_reads_no_line_of_a_quotation(mail: Noise) -> None:
    asks_for_nothing_else(mail)


@tried(MANY)
@given(trees)
def test_it_reads_no_line_of_other_parts(mail: Noise) -> None:
    asks_for_nothing_else(mail)


@tried(MANY)
@given(noise)
def test_it_survives_noise(raw: bytes) -> None:
    is_read(raw)


@tried(MANY)
@given(damaged())
def test_it_survives_damage(raw: bytes) -> None:
    is_read(raw)
