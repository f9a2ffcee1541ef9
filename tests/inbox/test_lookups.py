"""What the site asks DNS, and how long it keeps what it hears."""

from __future__ import annotations

from games.inbox.lookups import dns_lookup
from tests.inbox.dns_server import DnsServer


def ask(name: str) -> list[str]:
    return [str(record) for record in dns_lookup()(name, "TXT")]


def test_it_asks_once_for_what_may_be_kept(answers: DnsServer) -> None:
    answers.ttl = 60
    answers.publish("kept.example.com", "one")
    assert ask("kept.example.com") == ask("kept.example.com") == ['"one"']
    assert answers.asked == [("kept.example.com", "TXT")]


def test_it_asks_again_for_what_may_not_be_kept(answers: DnsServer) -> None:
    answers.publish("changing.example.com", "one")
    assert ask("changing.example.com") == ['"one"']
    answers.zone.clear()
    answers.publish("changing.example.com", "two")
    assert ask("changing.example.com") == ['"two"']


def test_it_asks_again_for_what_was_not_there(answers: DnsServer) -> None:
    answers.ttl = 60
    assert ask("new.example.com") == []
    answers.publish("new.example.com", "one")
    assert ask("new.example.com") == ['"one"']
