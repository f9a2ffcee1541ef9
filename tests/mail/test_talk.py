"""Mails about talk: one until its reader has read it, and what was said in the next call to a turn."""

from __future__ import annotations

from datetime import time, timedelta
from email.message import Message
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from games import hooks, mail, play, rules
from games.hooks.payload import content_of, write
from games.models import Game, MailMode, Notice, Player, Seat, WebhookCall
from games.pages.player.feeds import feed_address
from tests.cast import AT, make_game, make_table, seat_to_move
from tests.mail.composed import compose
from tests.pages.helpers import play_next

MINUTE = timedelta(minutes=1)
KIND = Notice.Kind.POSTCARD


@pytest.fixture(autouse=True)
def _all_else_is_sent(game: Game) -> None:
    Notice.objects.update(state=Notice.State.SENT, sent_at=AT)


def say(game: Game, player: Player, text: str, *, after: int = 0) -> None:
    play.write_postcard(game, player=player, text=text, at=AT + after * MINUTE)


def to(player: Player) -> list[str]:
    """The states of what was owed to the player about the talk."""
    return list(Notice.objects.filter(seat__player=player, kind=KIND).order_by("pk").values_list("state", flat=True))


def parts(message: Message) -> tuple[str, str]:
    """Text and HTML."""
    found = {
        part.get_content_type(): str(part.get_payload(decode=True), "utf-8")  # type: ignore[arg-type]
        for part in message.walk()
        if not part.is_multipart() and part.get_content_maintype() == "text"
    }
    return found["text/plain"], found["text/html"]


def read(game: Game, player: Player, heard: int) -> None:
    play.mark_seen(game, player=player, ply=game.ply, heard=heard, at=AT + 60 * MINUTE)


def test_the_others_get_one_mail_until_they_have_read(
    game: Game, alice: Player, bob: Player, carol: Player, mailoutbox: list[EmailMessage]
) -> None:
    for number in range(5):
        say(game, alice, f"number {number}", after=number)
        mail.sweep(at=AT + (number + 5) * MINUTE)
    assert (to(alice), to(bob), to(carol)) == ([], ["sent"], ["sent"])
    assert len(mailoutbox) == 2
    read(game, bob, 5)
    say(game, alice, "number 5", after=90)
    say(game, alice, "number 6", after=91)
    mail.sweep(at=AT + 99 * MINUTE)
    assert (to(bob), to(carol)) == (["sent", "sent"], ["sent"])
    text, _html = parts(mailoutbox[-1].message())
    assert [f"number {number}" in text for number in (4, 5, 6)] == [False, True, True]


def test_it_is_dropped_when_the_page_is_seen(game: Game, alice: Player, bob: Player, mailoutbox: list[Any]) -> None:
    say(game, alice, "Hello")
    play.mark_seen(game, player=bob, ply=0, heard=1, at=AT + MINUTE / 2)
    mail.sweep(at=AT + 5 * MINUTE)
    assert to(bob) == ["superseded"]
    assert [message.to for message in mailoutbox] == [["carol@example.com"]]


def test_what_was_said_after_the_page_was_made_is_mailed(
    game: Game, alice: Player, bob: Player, mailoutbox: list[EmailMessage]
) -> None:
    say(game, alice, "seen")
    mail.sweep(at=AT + 5 * MINUTE)
    say(game, alice, "missed", after=6)
    play.mark_seen(game, player=bob, ply=0, heard=1, at=AT + 7 * MINUTE)
    mail.sweep(at=AT + 20 * MINUTE)
    assert to(bob) == ["sent", "sent"]
    text, _html = parts(mailoutbox[-1].message())
    assert ("seen" in text, "missed" in text) == (False, True)


def test_the_next_call_to_a_turn_says_it(game: Game) -> None:
    mover = seat_to_move(game).player
    assert mover is not None
    words = "There <you> go & good luck"
    play.play_move(game, seat=seat_to_move(game), move=play_next_move(game), ply=0, key="k", at=AT, words=words)
    notice = Notice.objects.select_related("seat__game", "seat__player").get(kind=Notice.Kind.TURN, ply=1)
    text, html = parts(compose(notice).message())
    assert f"{mover.username}, with move 1, " in text
    assert "There <you> go & good luck" in text
    assert "There &lt;you&gt; go &amp; good luck" in html
    assert "<you>" not in html
    own = Notice(seat=game.seats.select_related("game", "player").get(player=mover), kind="turn", ply=1, created_at=AT)
    assert "There <you> go" not in parts(compose(own).message())[0]


def play_next_move(game: Game) -> str:
    return str(rules.legal_moves(game.position())[0])


def test_one_mail_has_the_call_and_what_was_said(game: Game, mailoutbox: list[EmailMessage]) -> None:
    seat = seat_to_move(game)
    play.play_move(game, seat=seat, move=play_next_move(game), ply=0, key="k", at=AT, words="Your turn")
    mail.sweep(at=AT + 5 * MINUTE)
    game.refresh_from_db()
    assert game.awaited
    mine = [message for message in mailoutbox if message.to == [game.awaited.email]]
    assert len(mine) == 1
    assert mine[0].subject.startswith("Your turn: ")
    assert parts(mine[0].message())[0].count("Your turn\n") == 1


@pytest.mark.parametrize(
    ("mode", "state"),
    [("every", "sent"), ("once", "sent"), ("digest", "due"), ("reminders", "superseded"), ("nothing", "superseded")],
)
def test_it_goes_by_the_plan_of_turn_mails(game: Game, alice: Player, bob: Player, mode: str, state: str) -> None:
    Player.objects.filter(pk=bob.pk).update(mail_mode=mode, visited_at=AT, digest_hours="3")
    say(game, alice, "Hello")
    mail.sweep(at=AT + 5 * MINUTE)
    assert to(bob) == [state]
    assert MailMode(mode)


def test_it_waits_for_the_end_of_quiet_hours(game: Game, alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(quiet_from=time(19), quiet_until=time(23))
    say(game, alice, "Hello")
    mail.sweep(at=AT + 5 * MINUTE)
    assert to(bob) == ["due"]
    mail.sweep(at=AT + 181 * MINUTE)
    assert to(bob) == ["sent"]


def test_each_table_has_a_switch(client: Client, game: Game, alice: Player, bob: Player, carol: Player) -> None:
    client.force_login(bob)
    client.post(f"{game.get_absolute_url()}mail/", {"mode": "", "asks_talk": "on"})
    assert not Seat.objects.get(game=game, player=bob).talk_mail
    say(game, alice, "Hello")
    mail.sweep(at=AT + 5 * MINUTE)
    assert (to(bob), to(carol)) == (["superseded"], ["sent"])
    client.post(f"{game.get_absolute_url()}mail/", {"mode": "", "asks_talk": "on", "talk": "on"})
    read(game, bob, 1)
    say(game, alice, "Hello again", after=61)
    mail.sweep(at=AT + 70 * MINUTE)
    assert to(bob) == ["superseded", "sent"]


def test_its_own_link_turns_off_talk_alone(
    client: Client, game: Game, alice: Player, bob: Player, mailoutbox: list[EmailMessage]
) -> None:
    say(game, alice, "Hello")
    mail.sweep(at=AT + 5 * MINUTE)
    [message] = [message for message in mailoutbox if message.to == [bob.email]]
    text, _html = parts(message.message())
    link = text.partition("No more mails about this talk:\n")[2].split()[0]
    path = "/mail/stop/" + link.partition("/mail/stop/")[2]
    assert Seat.objects.get(game=game, player=bob).talk_mail
    assert "No more mails about the talk" in client.get(path).content.decode()
    client.post(path)
    seat = Seat.objects.get(game=game, player=bob)
    assert (seat.talk_mail, seat.mail_mode) == (False, "")
    client.post(path, {"again": "on"})
    assert Seat.objects.get(game=game, player=bob).talk_mail


def test_who_is_muted_is_not_mailed(
    game: Game, alice: Player, bob: Player, carol: Player, mailoutbox: list[EmailMessage]
) -> None:
    play.mute_player(bob, alice, blocks=False, at=AT)
    say(game, alice, "Blah")
    say(game, carol, "Bob, are you there?")
    mail.sweep(at=AT + 5 * MINUTE)
    assert to(bob) == ["sent"]
    [message] = [message for message in mailoutbox if message.to == [bob.email]]
    text, html = parts(message.message())
    assert "Blah" not in text + html
    assert "Bob, are you there?" in text


def test_what_is_removed_is_not_mailed(
    game: Game, alice: Player, bob: Player, carol: Player, mailoutbox: list[EmailMessage]
) -> None:
    say(game, alice, "I regret this")
    play.remove_postcard(game, player=alice, number=1)
    mail.sweep(at=AT + 5 * MINUTE)
    assert mailoutbox == []
    say(game, alice, "I do not regret this", after=6)
    mail.sweep(at=AT + 10 * MINUTE)
    assert (to(bob), to(carol)) == (["superseded", "sent"],) * 2


def test_no_header_holds_what_was_said(game: Game, alice: Player, bob: Player, mailoutbox: list[EmailMessage]) -> None:
    say(game, alice, "Hello\nBcc: mallory@example.com\n\nSecret")
    mail.sweep(at=AT + 5 * MINUTE)
    message = mailoutbox[0].message()
    assert message["Bcc"] is None
    assert "Hello" not in str(message.items())
    assert "mallory@example.com" in parts(message)[0]


def test_webhooks_are_called_and_read_nothing_as_markup(game: Game, alice: Player, bob: Player) -> None:
    for kind in ("discord", "slack", "json"):
        hooks.add_hook(bob, kind=kind, url=f"https://hooks.example/{kind}", at=AT)
    say(game, alice, "**@everyone** <!channel> <b>https://example.com</b>")
    calls = WebhookCall.objects.filter(kind=KIND).select_related("hook", "seat__game", "seat__player")
    assert calls.count() == 3
    bodies = {}
    for call in calls:
        content = content_of(call, at=AT)
        bodies[call.hook.kind] = write(content, call.hook, at=AT).body.decode()
    assert r"\\*\\*@everyone\\*\\*" in bodies["discord"]
    assert '"allowed_mentions":{"parse":[]}' in bodies["discord"]
    assert "https://example.com<" not in bodies["discord"] + bodies["slack"]
    assert "&lt;!channel&gt;" in bodies["slack"]
    assert "<b>https://example.com</b>" in bodies["json"]


def test_no_feed_tells_it(client: Client, game: Game, alice: Player) -> None:
    mover = seat_to_move(game).player
    assert mover is not None
    other = next(seat.player for seat in game.seats.all() if seat.player not in (mover, None))
    assert other is not None
    Player.objects.filter(pk=mover.pk).update(feed_key="k" * 43)
    mover.refresh_from_db()
    say(game, other, "between us")
    for feed in ("turns", "deadlines"):
        path = "/feeds/" + feed_address(mover, feed).partition("/feeds/")[2]
        assert "between us" not in client.get(path).content.decode()
    assert "between us" not in client.get(f"{game.get_absolute_url()}feed/").content.decode()


def test_mail_about_an_open_table(alice: Player, bob: Player, mailoutbox: list[EmailMessage]) -> None:
    table = make_table(alice, size=3)
    play.join_table(table, player=bob, at=AT)
    say(table, bob, "Shall we begin?")
    mail.sweep(at=AT + 5 * MINUTE)
    [message] = [message for message in mailoutbox if message.to == [alice.email]]
    assert "Shall we begin?" in parts(message.message())[0]


def test_closed_accounts_get_none(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    play.close_account(bob, at=AT)
    say(game, alice, "Anybody there?")
    mail.sweep(at=AT + 5 * MINUTE)
    assert to(bob) in ([], ["superseded"])


def test_a_chat_is_one_mail_for_each(game: Game, alice: Player, bob: Player, carol: Player) -> None:
    """Of 300 postcards by three people who read nothing each gets one mail, and none is lost."""
    for number in range(300):
        say(game, (alice, bob, carol)[number % 3], f"number {number}")
        if number % 50 == 0:
            mail.sweep(at=AT + 5 * MINUTE)
    mail.sweep(at=AT + 5 * MINUTE)
    assert (to(alice), to(bob), to(carol)) == (["sent"],) * 3
    assert list(game.postcards.order_by("number").values_list("text", flat=True)) == [
        f"number {number}" for number in range(300)
    ]
    play_next(game)
