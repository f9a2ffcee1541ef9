"""A whole game: sign-up, table, mails, play to the end, archive, record and proof of the deal, on real servers."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from games import rules
from tests.browser.people import Person, person
from tests.servers import MailServer, Site, mail_server, site, wait_until

VERIFIER = Path(__file__).parents[2] / "games/static/games/verify_deal.py"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("script", [True, False], ids=["script-on", "script-off"])
def test_it_plays_a_whole_game_from_sign_up_to_the_archive(browser: Browser, tmp_path: Path, script: bool) -> None:
    with mail_server() as smtp, site(tmp_path / "site", smtp=smtp) as served:
        with (
            person("alice", browser, served, smtp, script=script) as alice,
            person("bob", browser, served, smtp, script=script) as bob,
        ):
            _meet(alice, bob)
            _play_to_the_end(smtp, alice, bob)
            record = _find_in_archive(alice, tmp_path)
            assert alice.trouble + bob.trouble == []
        _check_record(record, tmp_path)
        _check_mails(record, smtp, served)


def _meet(alice: Person, bob: Person) -> None:
    """alice signs up and opens a table for three with a computer player; bob comes by its link, asks for a seat,
    signs up and sits there."""
    alice.page.goto(alice.site.url)
    alice.page.get_by_role("link", name="Sign up").first.click()
    alice.sign_up()
    link = alice.open_table("Friday table", size=3, bots=1)
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Sit down").click()
    bob.sign_up()
    bob.page.wait_for_url(link)
    expect(bob.page.locator("svg.clans-board")).to_be_visible()


def _play_to_the_end(smtp: MailServer, *people: Person) -> None:
    """Each answers each call by mail, until the mails say that the game is over."""
    rng = random.Random(11)
    answered: Counter[str] = Counter()

    def called() -> list[Person]:
        return [one for one in people if len(smtp.mails_to(one.email, kind="turn")) > answered[one.name]]

    def over() -> bool:
        return all(smtp.mails_to(one.email, kind="finished") for one in people)

    def told(one: Person) -> bool:
        return bool(smtp.mails_to(one.email, kind="started") or smtp.mails_to(one.email, kind="turn"))

    # A call to the turn includes that mail, as long as it has not gone.
    wait_until(lambda: all(map(told, people)), what="word to all that the game has started")
    while not over():
        wait_until(lambda: called() or over(), what="call to move, and no end of the game")
        for one in called():
            one.answer(smtp.mails_to(one.email, kind="turn")[answered[one.name]], rng)
            answered[one.name] += 1


def _find_in_archive(one: Person, folder: Path) -> dict[str, Any]:
    """Look the game up in the archive, step through it, and download its record."""
    one.page.get_by_role("link", name="Archive").first.click()
    one.page.get_by_role("link", name="Friday table").first.click()
    expect(one.page.get_by_role("heading", name="Friday table")).to_be_visible()
    with one.page.expect_download() as download:
        one.page.get_by_role("link", name="record").first.click()
    download.value.save_as(folder / "record.json")
    record: dict[str, Any] = json.loads((folder / "record.json").read_text())
    one.page.goto(one.page.url.rstrip("/") + "/ply/0/")
    one.page.get_by_role("link", name="Next").first.click()
    expect(one.page).to_have_url(re.compile(r"/ply/1/(#ply-next)?$"))
    one.page.get_by_role("link", name="Last").first.click()
    expect(one.page).to_have_url(re.compile(rf"/ply/{len(record['moves'])}/(#ply-back)?$"))
    return record


def _check_record(record: dict[str, Any], folder: Path) -> None:
    """It replays to the same result, and the stand-alone script verifies the deal."""
    read = rules.read_record(record)
    position = rules.fold(read.opening, read.moves)[-1].position
    clans = [player["clan"] for player in record["players"]]
    result = record["result"]
    assert position.end == result["end"]
    assert [standing.total for standing in rules.standings(position, clans)] == result["totals"]
    assert dict(zip(rules.CLANS, position.scores, strict=True)) == result["scores"]
    command = [sys.executable, "-I", str(VERIFIER), str(folder / "record.json")]
    verified = subprocess.run(command, check=False, capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def _check_mails(record: dict[str, Any], smtp: MailServer, served: Site) -> None:
    """Every turn mail came exactly once, to whoever was to move, and nobody got one too many."""
    names, first = [player["name"] for player in record["players"]], record["first"]
    to_move = [names[(first + ply) % len(names)] for ply in range(len(record["moves"]))]
    people = [name for name in names if not name.startswith("computer")]
    expected = Counter((f"{name}@example.com", "turn", ply) for ply, name in enumerate(to_move) if name in people)
    expected.update((f"{name}@example.com", "started", 0) for name in people if name != to_move[0])
    expected.update((f"{name}@example.com", "finished", len(to_move)) for name in people)
    # Where the computer player begins, its move may be there before that mail goes: the call to the turn includes it.
    included = Counter([(f"{to_move[1]}@example.com", "started", 0)] if to_move[0] not in people else [])
    mails = [mail for mail in smtp.mails if mail.kind]
    got = Counter((mail.to, mail.kind, int(mail.message["X-Clans-Ply"])) for mail in mails)
    assert got in (expected, expected - included)
    assert len({mail.message["Message-ID"] for mail in mails}) == len(mails)
    assert {mail.message["X-Clans-Game"] for mail in mails} == {record["deal"]["game"]}
    served.check_alive()
