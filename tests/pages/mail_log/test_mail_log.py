"""What a player is told of their mail, and why one was not taken."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.mail.kinds import KINDS, Logged, kind_of
from games.mail.plan import still_true
from games.models import (
    Game,
    InboundMail,
    Invitation,
    Mail,
    Notice,
    Player,
    Season,
    SeasonMail,
    Seat,
    find_turn_token,
    make_turn_token,
)
from games.pages.player.mail_log import _log_of
from games.pages.player.mail_words import say_failure
from tests.cast import AT, make_game, make_table
from tests.pages.helpers import links, seat_of, soup, table_url, text_of
from tests.pages.mail_log.reading import NOW, PAGE, SENT, SOON, mailed, owed, rows

pytestmark = pytest.mark.django_db


# --- The log ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"state": "sent", "sent_at": AT}, "Sent yesterday, 20:00"),
        ({"mail": {"state": "claimed", "lease_until": SOON, "claim": "x"}}, "On its way to the mail server"),
        ({"due_at": NOW}, "Goes out now"),
        ({"due_at": SOON}, "Goes today, 22:00"),
        ({"due_at": SOON, "reason": "presence"}, "Waits in case you are at the table; goes today, 22:00"),
        ({"due_at": SOON, "reason": "quiet"}, "Held for your quiet hours until today, 22:00"),
        (
            {"due_at": NOW + timedelta(days=3), "reason": "digest"},
            "Waits for your digest; goes Friday 6 March, 20:00",
        ),
        (
            {"due_at": SOON, "reason": "retry", "mail": {"error": "busy", "detail": "451 4.7.1 Later"}},
            "The mail server asked for patience: “451 4.7.1 Later”. It is tried again today, 22:00",
        ),
        (
            {"due_at": NOW - timedelta(minutes=6)},
            "Late: it should have gone today, 19:54, and goes as soon as the site’s sender is back",
        ),
        ({"state": "superseded", "reason": "seen"}, "Not sent: you had seen it at the table"),
        ({"state": "superseded", "reason": "past"}, "Not sent: the game had moved on"),
        ({"state": "superseded", "reason": "visit"}, "Not sent: you had a mail since your last visit"),
        ({"state": "superseded", "reason": "unwanted"}, "Not sent: you want no such mail"),
        ({"state": "superseded", "reason": "bounced"}, "Not sent: your address takes no mail"),
        ({"state": "superseded"}, "Not sent"),
        (
            {"state": "quarantined", "mail": {"error": "refused", "detail": "550 5.1.1 no such user"}},
            "Set aside, and not tried again. The mail server refused it: “550 5.1.1 no such user”.",
        ),
        (
            {
                "state": "quarantined",
                "mail": {"error": "refused", "detail": "550 5.1.1 no such user"},
                "reason": "bounced",
            },
            "Bounced: your address did not take it. The mail server refused it: “550 5.1.1 no such user”.",
        ),
        (
            {"state": "quarantined", "mail": {"error": "crashed"}},
            "Set aside, and not tried again. The process that sends mails ended each time.",
        ),
    ],
)
def test_it_says_what_became_of_a_mail(her: Client, seat: Seat, fields: dict[str, Any], said: str) -> None:
    about_mail = fields.get("mail")
    owed(seat, **(fields | {"mail": mailed(seat, **about_mail)} if about_mail else fields))
    assert rows(her) == [f"Your turn (move 1) Friday table | {said} | 24 hours ago"]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("started", "The game has started"),
        ("finished", "The game is over"),
        ("turn", "Your turn (move 13)"),
        ("reminder", "Reminder of your turn (move 13)"),
        ("nudge", "bob nudges you"),
        ("autopilot", "The autopilot moved for you"),
        ("expired", "bob closed the table"),
        ("bounced", "Mails to bob do not arrive"),
        ("test", "Test mail"),
    ],
)
def test_it_says_what_a_mail_is_about(her: Client, seat: Seat, bob: Player, kind: str, said: str) -> None:
    owed(seat, kind, about=seat_of(seat.game, bob).number, ply=12)
    assert rows(her)[0].startswith(f"{said} Friday table | ")


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([{"code": "played", "is_done": True, "read": "A1-A2"}], "A1-A2 is played"),
        ([{"code": "asked", "is_done": True, "read": "A1-A2"}], "A1-A2 waits until you confirm it"),
        ([{"code": "back", "is_done": True, "read": "back"}], "Taken back"),
        ([{"code": "no-words", "is_done": False, "read": ""}], "Nothing was done"),
        ([{"code": "played", "is_done": True, "read": "A1-A2"}] * 2, "2 moves are played"),
        ([{"code": "thinking", "is_done": True, "read": "thinking"}], "Answer to your mail"),
        ([], "Answer to your mail"),
    ],
)
def test_it_says_what_came_of_an_answer_by_mail(
    her: Client, seat: Seat, alice: Player, results: list[dict[str, Any]], said: str
) -> None:
    token = find_turn_token(make_turn_token(alice, {1: seat}, use="answer", at=AT), "answer")
    assert token is not None
    about = {"token": token, "player": alice, "received_at": AT, "due_at": AT, "size": 0, "state": "sent"}
    InboundMail.objects.create(**about, results=results, notice=owed(seat, "receipt"))
    assert rows(her)[0].startswith(f"{said} Friday table | ")


def test_each_kind_has_words_of_its_own() -> None:
    assert len({kind_of(kind).log(Logged()) for kind in Notice.Kind.values}) == len(Notice.Kind.values)
    assert set(KINDS) == set(Notice.Kind)


def test_a_kind_that_does_not_exist_has_no_words(seat: Seat) -> None:
    with pytest.raises(ValueError, match="newsletter"):
        kind_of("newsletter")
    with pytest.raises(ValueError, match="newsletter"):
        still_true(Notice(seat=seat, kind="newsletter", ply=0))


def test_it_says_who_closed_a_table(client: Client, alice: Player, bob: Player) -> None:
    table = make_table(alice)
    play.join_table(table, player=bob, at=AT)
    play.close_table(table, player=alice, at=AT)
    client.force_login(bob)
    assert rows(client)[0].startswith("alice closed the table Friday table | ")


def test_it_knows_words_for_every_kind_state_and_reason(her: Client, seat: Seat) -> None:
    for kind in Notice.Kind.values:
        owed(seat, kind, state="superseded", reason="past")
    for reason in Notice.Reason.values:
        owed(seat, reason=reason, due_at=SOON)
    assert len(set(rows(her))) >= len(Notice.Kind.values) + len({"presence", "quiet", "digest", "retry"})


def test_it_names_the_mail_that_carried_it(her: Client, seat: Seat, alice: Player, bob: Player) -> None:
    other = make_game(alice, bob)
    Notice.objects.all().delete()
    Game.objects.filter(pk=other.pk).update(name="<b>Late</b> table")
    mail = mailed(seat, **SENT)
    owed(seat_of(other, alice), "reminder", **SENT, mail=mail, created_at=AT - timedelta(hours=1))
    owed(seat, **SENT, mail=mail)
    with_it = "Sent yesterday, 20:00, in one mail with “Reminder of your turn: <b>Late</b> table”"
    assert rows(her) == [
        f"Your turn (move 1) Friday table | {with_it} | 24 hours ago",
        "Reminder of your turn (move 1) <b>Late</b> table | Sent yesterday, 20:00 | 25 hours ago",
    ]


def test_it_says_what_a_mail_that_waits_goes_with(her: Client, seat: Seat) -> None:
    waits = mailed(seat, due_at=SOON, error="no_answer", dated_at=AT)
    owed(seat, due_at=SOON, reason="retry", mail=waits)
    owed(seat, "nudge", due_at=SOON, reason="retry", mail=waits)
    assert "In one mail with “Your turn: Friday table”. It went out, but" in rows(her)[0]


def test_it_shows_the_last_hundred_newest_first(her: Client, seat: Seat) -> None:
    for number in range(103):
        owed(seat, created_at=AT - timedelta(minutes=number), state="sent", sent_at=AT - timedelta(minutes=number))
    shown = rows(her, at=AT + timedelta(minutes=5))
    assert len(shown) == 100
    assert shown[0].endswith("5 minutes ago")
    assert shown[-1].endswith("104 minutes ago")


@pytest.mark.parametrize(("count", "said"), [(3, "Newest first"), (100, "The last 100, newest first")])
def test_its_caption_says_how_many_it_shows(her: Client, seat: Seat, count: int, said: str) -> None:
    for _number in range(count):
        owed(seat, **SENT)
    assert text_of(her.get(PAGE), "caption") == said


def test_it_shows_nobody_elses_mail(her: Client, seat: Seat, bob: Player) -> None:
    owed(seat_of(seat.game, bob), state="sent", sent_at=AT)
    assert rows(her) == []
    assert "There was no mail for you about a game yet." in text_of(her.get(PAGE))


def test_it_leads_to_the_table_and_to_the_wishes(her: Client, seat: Seat) -> None:
    owed(seat)
    assert {table_url(seat.game), "/preferences/mail/", "/accounts/email/"} <= set(links(her.get(PAGE)))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"state": "sent", "sent_at": AT}, "Sent yesterday, 20:00"),
        ({"due_at": SOON}, "Goes today, 22:00"),
        ({"due_at": SOON, "error": "away"}, "The mail server could not be reached. It is tried again today, 22:00"),
        ({"state": "superseded"}, "Not sent"),
        (
            {"state": "quarantined", "error": "crashed"},
            "Set aside, and not tried again. The process that sends mails ended each time.",
        ),
    ],
)
def test_it_tells_what_became_of_the_mail_about_a_season(
    her: Client, seat: Seat, alice: Player, bob: Player, fields: dict[str, Any], said: str
) -> None:
    owed(seat, created_at=AT - timedelta(hours=1), **SENT)
    season = play.open_season(bob, name="Spring league", size=2, rounds=3, key="1", at=AT)
    play.join_season(season, player=alice, at=AT)
    play.close_season(season, by=bob, at=AT)
    SeasonMail.objects.update(**fields)
    first, second = rows(her)
    assert first.startswith(f"The season will not be played Spring league | {said} |")
    assert second.startswith("Your turn")
    assert season.get_absolute_url() in links(her.get(PAGE))
    # One that was played to its end, by its opener's log.
    SeasonMail.objects.update(player=bob)
    Season.objects.update(started_at=AT)
    her.force_login(bob)
    assert rows(her)[0].startswith("The season is over Spring league")


@pytest.mark.parametrize("to", ["alice", "alice@example.com"])
def test_it_tells_of_invitations(her: Client, bob: Player, to: str) -> None:
    season = play.open_season(bob, name="Spring league", size=2, rounds=3, key="1", at=AT)
    play.invite_to_season(season, by=bob, names=[to], at=AT)
    table = make_table(bob, name="Dawn", is_public=False)
    play.invite(table, by=bob, to=to, at=AT + timedelta(hours=1))
    Invitation.objects.filter(game=table).update(state="sent", sent_at=AT + timedelta(hours=1), token="")
    first, second = rows(her)
    assert first.startswith("Invitation Dawn | Sent yesterday, 21:00 |")
    assert second.startswith("Invitation Spring league | Late: it should have gone yesterday, 20:00,")
    assert {season.get_absolute_url(), table.get_absolute_url()} <= set(links(her.get(PAGE)))


def test_it_tells_of_a_release(her: Client, alice: Player, bob: Player) -> None:
    table = make_table(bob, name="Dawn", size=3)
    play.join_table(table, player=alice, at=AT)
    play.release_player(table, by=bob, name="alice", at=AT)
    assert rows(her)[0].startswith("Released from the table Dawn |")


def test_it_tells_nobody_of_an_invitation_that_is_not_theirs(her: Client, bob: Player, carol: Player) -> None:
    """To somebody else, taken back, not sent because alice has blocked bob, and to another address of her mailbox."""
    for number, to in enumerate((carol.username, "alice", "alice", "alice+games@example.com", "dora@example.com")):
        play.invite(make_table(bob, size=4, name=f"table {number}"), by=bob, to=to, at=AT)
    of = {each.table.name: each for each in Invitation.objects.all()}
    play.withdraw_invitation(of["table 1"].table, player=bob, invitation=of["table 1"].pk, at=AT)
    Invitation.objects.filter(pk=of["table 2"].pk).update(state="superseded")
    assert rows(her) == []


def test_it_asks_a_visitor_to_sign_in(client: Client) -> None:
    assert client.get(PAGE).status_code == 302


def test_it_costs_the_same_queries_however_much_was_owed(
    her: Client, seat: Seat, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    together = mailed(seat, **SENT)
    for _number in range(30):
        owed(seat, "nudge", **SENT, mail=together, about=seat_of(seat.game, bob).number)
    with django_assert_num_queries(5):  # session, player and the tables that wait, notices, about seasons, invitations
        her.get(PAGE)


def test_it_finds_the_mails_by_the_seats_and_not_among_everybodys(seat: Seat, alice: Player) -> None:
    """A player of few mails on a site of millions."""
    owed(seat)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = _log_of.queryset(alice.pk).explain()
    assert "games_notice" in plan
    assert "SCAN games_notice" not in plan
    assert "Seq Scan on games_notice" not in plan


# --- Answers of mail servers -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "detail", "said"),
    [
        ("", "", ""),
        ("busy", "450 4.2.0 Greylisted", "The mail server asked for patience: “450 4.2.0 Greylisted”."),
        ("refused", "550 5.7.1 Spam.", "The mail server refused it: “550 5.7.1 Spam”."),
        (
            "no_entry",
            "535 5.7.8 clans / secret: wrong",
            "The mail server does not let this site in, which its operator has to mend.",
        ),
        ("away", "gaierror: [Errno -2] mail.internal", "The mail server could not be reached."),
        (
            "no_answer",
            "NoAnswer: timed out",
            "It went out, but the mail server did not say whether it has it; if you get it twice, this is why.",
        ),
        ("fault", "KeyError: 'clan'", "It failed by a fault of this site; its operator finds the reason in the log."),
        ("provider", "the provider failed", "It was not taken: “the provider failed”."),
    ],
)
def test_it_says_in_plain_words_why_a_mail_was_not_taken(error: str, detail: str, said: str) -> None:
    assert say_failure(error, detail) == said


def test_it_has_words_for_every_error() -> None:
    assert all(say_failure(error, "550 no") for error in Mail.Error.values)


def test_it_tells_no_long_answer() -> None:
    assert len(say_failure("refused", "550 " + "no " * 90)) < 220


def test_it_shows_an_answer_as_text(her: Client, seat: Seat) -> None:
    refused = mailed(seat, state="quarantined", error="refused", detail="550 <script>alert(1)</script> 100% %(moment)s")
    owed(seat, state="quarantined", mail=refused)
    assert "“550 <script>alert(1)</script> 100% %(moment)s”." in rows(her)[0]
    assert not soup(her.get(PAGE)).select("main script")
