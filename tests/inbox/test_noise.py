"""Whatever a mail is made of: it is read without an error, and asks for nothing that its writer has not asked for."""

from __future__ import annotations

from typing import Final

from hypothesis import given

from tests.inbox.noise import Noise, answers, asks_for_nothing_else, damaged, is_read, noise, trees, tried

FEW: Final = 200
"""Of each of the four kinds; test_20000_mails.py tries more."""


@tried(FEW)
@given(answers())
def test_it_reads_no_line_of_a_quotation(mail: Noise) -> None:
    asks_for_nothing_else(mail)


@tried(FEW)
@given(trees)
def test_it_reads_no_line_of_other_parts(mail: Noise) -> None:
    asks_for_nothing_else(mail)


@tried(FEW)
@given(noise)
def test_it_survives_noise(raw: bytes) -> None:
    is_read(raw)


@tried(FEW)
@given(damaged())
def test_it_survives_damage(raw: bytes) -> None:
    is_read(raw)
