"""Letting a reader move without signing in: the button that leads to a page for this turn alone (design 2.35)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from games.mail import links
from games.mail.letter import Written
from games.models import Player, TurnToken, make_turn_token


def make_pressable(player: Player, written: Sequence[Written], *, at: datetime) -> list[Written]:
    """The letters; where a table waits for a player who wishes so, the button moves without signing in. Costs 2 queries
    for each of these tables."""
    urls: dict[str, str] = {}
    for one in written:
        if player.presses and _calls(one, player) and one.slug not in urls:
            secret = make_turn_token(player, {1: one.notice.seat}, use=TurnToken.Use.PRESS, at=at)
            urls[one.slug] = links.press_url(one.slug, secret)
    return [_with_press(one, urls[one.slug]) if _calls(one, player) and one.slug in urls else one for one in written]


def _calls(one: Written, player: Player) -> bool:
    """Whether it has a button to move at a table that waits for the player."""
    return one.awaits_reader and bool(one.letter.button) and one.notice.seat.game.awaited_id == player.pk


def _with_press(one: Written, url: str) -> Written:
    return replace(one, letter=replace(one.letter, url=url, moves_at_once=True))
