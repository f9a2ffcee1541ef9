"""What docs/webhooks.md promises to those who write programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import time_machine

from games import hooks, mail
from games.hooks import payload
from games.models import Player, Webhook
from tests.cast import AT, make_game, play_random, seat_to_move
from tests.hooks.ear import Ear

DOCS = (Path(__file__).parents[2] / "docs/webhooks.md").read_text()


def block(language: str) -> str:
    """The one example in this language."""
    [found] = re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)
    return str(found)


def shape(value: Any) -> Any:
    """The keys of a value, and of what is in it."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else type(value)


def call_to_turn(ear: Ear, alice: Player, bob: Player) -> tuple[Webhook, dict[str, Any], bytes, str]:
    """A call to a turn of alice's: her webhook, what was said, as it came, and its signature."""
    hook = hooks.add_hook(alice, kind="json", url=ear.url(), at=AT)
    alice.refresh_from_db()
    game = play_random(make_game(alice, bob), 2)
    while seat_to_move(game).player_id != alice.pk:
        game = play_random(game, 1)
    hooks.sweep(at=game.turn_since or AT)
    heard = next(heard for heard in ear.heard if heard.headers["X-Clans-Event"] == "turn")
    return hook, json.loads(heard.body), heard.body, heard.headers["X-Clans-Signature"]


def test_it_sends_the_fields_that_are_told(ear: Ear, alice: Player, bob: Player) -> None:
    _hook, said, _body, _signature = call_to_turn(ear, alice, bob)
    assert shape(said) == shape(json.loads(block("json")))


def test_it_is_verified_as_it_is_told(ear: Ear, alice: Player, bob: Player) -> None:
    hook, _said, body, signature = call_to_turn(ear, alice, bob)
    program: dict[str, Any] = {}
    exec(block("python"), program)  # noqa: S102
    is_from_clans: Callable[[str, bytes, str], bool] = program["is_from_clans"]
    signed_at = int(signature.partition(",")[0].removeprefix("t="))
    with time_machine.travel(signed_at + 299):
        assert is_from_clans(signature, body, hook.secret)
        assert not is_from_clans(signature, body + b" ", hook.secret)
        assert not is_from_clans(signature, body, "another secret")
    with time_machine.travel(signed_at + timedelta(minutes=5).total_seconds()):
        assert not is_from_clans(signature, body, hook.secret)


def test_it_tells_of_every_event() -> None:
    documented = set(re.findall(r"^\| `(\w+)` \|", DOCS, re.MULTILINE))
    assert documented == {*mail.kinds_that(lambda kind: kind.webhook.is_called), "test"}
    assert payload.FORMAT in DOCS
    assert f"up to {hooks.MOST_HOOKS} addresses" in DOCS
