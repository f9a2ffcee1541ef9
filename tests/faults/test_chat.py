"""A chat of fifty people by a real web process, worker, beat and mail server."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from games.enqueue import without_enqueueing
from games.models import Game, Notice, Player, Postcard
from tests.cast import make_game, make_player
from tests.faults.callers import Answer, Caller
from tests.servers import MailServer, Site, mail_server, site, wait_until

PEOPLE = 50
TABLE_OF = 4
TABLES = 25
"""Each sits at two of them."""
SAID_EACH = 40
"""2,000 postcards in all, as many as the limit lets everybody write in an hour."""
AT_ONCE = 4


@pytest.mark.timeout(600)
def test_2000_postcards_of_50_people_are_one_mail_a_reader_and_table(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock(), mail_server() as smtp, site(tmp_path, smtp=smtp) as served:
        tables = seat_everybody(served)
        said = [
            (slug, person, f"{person.username} says {number}")
            for number in range(SAID_EACH)
            for person, slugs in tables.items()
            for slug in [slugs[number % len(slugs)]]
        ]
        with served.database():
            callers = {person.pk: Caller(served, person) for person in tables}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            opened = [pool.submit(callers[person.pk].open, f"/tables/{slugs[0]}/") for person, slugs in tables.items()]
            assert {answer.result().status for answer in opened} == {200}
            began = time.monotonic()
            answers = list(pool.map(lambda one: say(callers[one[1].pk], one[0], one[2]), said))
        print(f"{60 * len(said) / (time.monotonic() - began):.0f} postcards a minute")
        assert Counter(answer.status for answer in answers) == {303: len(said)}
        wait_until(lambda: has_sent_all(served), what="last mail", patience=300)
        with served.database():
            assert sorted(Postcard.objects.values_list("game__slug", "text")) == sorted(
                (slug, text) for slug, _person, text in said
            )
        assert mails_about_talk(served, smtp) == {
            (person.username, slug): 1 for person in tables for slug in tables[person]
        }
        served.check_alive()


def seat_everybody(served: Site) -> dict[Player, list[str]]:
    """The tables of each person by their slugs."""
    with served.database(), without_enqueueing():
        people = [make_player(f"player{number}") for number in range(PEOPLE)]
        tables: dict[Player, list[str]] = {person: [] for person in people}
        for number in range(TABLES):
            seated = [people[(number * TABLE_OF + seat) % PEOPLE] for seat in range(TABLE_OF)]
            game = make_game(*seated, at=timezone.now())
            for person in seated:
                tables[person].append(game.slug)
        # What the tables themselves owe does not matter here.
        Notice.objects.update(state=Notice.State.SUPERSEDED)
    return tables


def say(caller: Caller, slug: str, text: str) -> Answer:
    return caller.post(f"/tables/{slug}/talk/", {"say": text})()()


def has_sent_all(served: Site) -> bool:
    with served.database():
        return not Notice.objects.filter(state=Notice.State.DUE).exists()


def mails_about_talk(served: Site, smtp: MailServer) -> Counter[tuple[str, str]]:
    """How many mails about the talk at each table each reader has got; a mail can be about several tables."""
    with served.database():
        slugs = set(Game.objects.values_list("slug", flat=True))
    return Counter(
        (mail.to.partition("@")[0], slug) for mail in smtp.mails for slug in slugs if f"/tables/{slug}/" in mail.text
    )
