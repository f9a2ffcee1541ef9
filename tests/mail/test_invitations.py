"""The mails of invitations, over a real mail server."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction

from games import mail, outbox, play
from games.mail.delivery import LEASE, MAX_ATTEMPTS
from games.models import Entrant, Game, Invitation, Player, Season, digest_of
from tests.cast import AT, make_table
from tests.mail.post_office import PostOffice
from tests.mail.taking_over import taken_over

pytestmark = pytest.mark.django_db
State = Invitation.State


@pytest.fixture
def table(alice: Player) -> Game:
    return make_table(alice, size=3)


@pytest.fixture
def to_dora(table: Game, alice: Player) -> Invitation:
    return play.invite(table, by=alice, to="dora@example.com", at=AT)


def test_it_goes_once(to_dora: Invitation, post_office: PostOffice) -> None:
    assert mail.deliver_invitation(to_dora.pk, at=AT) == State.SENT
    assert mail.deliver_invitation(to_dora.pk, at=AT + LEASE) is None
    assert mail.sweep_invitations(at=AT + LEASE) == 0
    [received] = post_office.mails
    assert (received["To"], received["Message-ID"]) == ("dora@example.com", to_dora.message_id)
    to_dora.refresh_from_db()
    assert (to_dora.sent_at, to_dora.token) == (AT, "")


def test_it_counts_no_seat_that_is_kept_for_somebody_else(alice: Player, bob: Player, post_office: PostOffice) -> None:
    table = make_table(alice, size=4)
    play.invite(table, by=alice, to="bob", keeps_seat=True, at=AT)
    kept = play.invite(table, by=alice, to="dora@example.com", keeps_seat=True, at=AT)
    mail.deliver_invitation(kept.pk, at=AT)
    [received] = post_office.mails
    text = str(received.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    assert "2 seats are free." in text
    assert "A seat is kept for you until" in text


def test_it_says_who_asks_for_what_and_how_to_answer(to_dora: Invitation, post_office: PostOffice) -> None:
    mail.deliver_invitation(to_dora.pk, at=AT)
    [received] = post_office.mails
    text = str(received.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    html = str(received.get_body(("html",)).get_content())  # type: ignore[union-attr]
    assert received["Subject"] == "alice invites you to play: Friday table"
    for part in (text, html):
        assert "alice invites you to a game of Clans." in part
        assert "2 seats are free." in part
        assert "3 days for each move" in part
        for word in ("Look and sit down", "Decline", "Never write to this address again"):
            assert word in part
    [token] = set(re.findall(r"/invitations/([\w-]{43})/", text))
    assert digest_of(token) == to_dora.digest
    assert f"/invitations/{token}/" in html
    [refusal] = set(re.findall(r"http://\S+/invitations/stop/\S+/", text))
    assert received["List-Unsubscribe"] == f"<{refusal}>"
    assert received["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail.read_refusal(refusal.split("/")[-2]) == digest_of("dora@example.com")
    assert [part.get_content_type() for part in received.iter_parts()] == ["multipart/alternative", "image/png"]
    assert "alice@example.com" not in text + html


@pytest.mark.parametrize("games", [1, 3])
def test_it_says_whether_the_game_is_the_first_of_several(games: int, alice: Player, post_office: PostOffice) -> None:
    table = play.open_table(alice, name="Friday", size=2, games=games, at=AT)
    mail.deliver_invitation(play.invite(table, by=alice, to="dora@example.com", at=AT).pk, at=AT)
    [received] = post_office.mails
    for kind in ("plain", "html"):
        part = str(received.get_body((kind,)).get_content())  # type: ignore[union-attr]
        assert ("It is the first of 3 games in a row." in part) is (games == 3)
        assert ("games in a row" in part) is (games == 3)


def test_a_name_of_a_table_adds_no_header(alice: Player, post_office: PostOffice) -> None:
    table = make_table(alice, name="x\r\nBcc: all@example.com\r\n\r\n<b>hi</b>")
    made = play.invite(table, by=alice, to="dora@example.com", at=AT)
    mail.deliver_invitation(made.pk, at=AT)
    [received] = post_office.mails
    assert received["Bcc"] is None
    assert "<b>hi" not in str(received.get_body(("html",)).get_content())  # type: ignore[union-attr]


def test_it_is_written_for_a_reader_who_has_an_account(table: Game, alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(time_zone="Asia/Tokyo")
    made = play.invite(table, by=alice, to="bob@example.com", at=AT)
    made.refresh_from_db()
    mail.render_invitation(made)
    assert "Tuesday 17\N{NO-BREAK SPACE}March, 05:00" in made.text


def _expires(made: Invitation) -> None:
    Invitation.objects.update(expires_at=AT)


def _is_full(made: Invitation) -> None:
    Game.objects.filter(pk=made.table.pk).update(size=2)
    play.join_table(made.table, player=Player.objects.get(username="carol"), at=AT)


def _sits_there(made: Invitation) -> None:
    play.join_table(made.table, player=Player.objects.get(username="bob"), at=AT)
    Invitation.objects.update(answer="", answered_at=None)


def _was_asked_by_name(made: Invitation) -> None:
    by_name = play.invite(made.table, by=made.by, to="bob", at=AT)
    Invitation.objects.filter(pk=by_name.pk).update(state=State.SENT, sent_at=AT, token="")


def _wants(**wishes: object) -> Callable[[Invitation], object]:
    return lambda made: Player.objects.filter(username="bob").update(**wishes)


CHANGES: dict[str, Callable[[Invitation], object]] = {
    "declined": lambda made: play.decline_invitation(made, at=AT),
    "taken back": lambda made: play.withdraw_invitation(made.table, player=made.by, invitation=made.pk, at=AT),
    "expired": _expires,
    "closed": lambda made: play.close_table(made.table, player=made.by, at=AT),
    "full": _is_full,
    "quiet": lambda made: play.refuse_invitations(digest_of("bob@example.com"), at=AT),
    "seated": _sits_there,
    "asked by name": _was_asked_by_name,
    "reminders only": _wants(mail_mode="reminders"),
    "no mail": _wants(mail_mode="nothing"),
    "blocked": lambda made: play.mute_player(Player.objects.get(username="bob"), made.by, blocks=True, at=AT),
    "bounced": _wants(mail_bounced_at=AT),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.usefixtures("bob", "carol")
def test_it_does_not_go_when_it_is_not_true_any_more(
    table: Game, alice: Player, post_office: PostOffice, change: str
) -> None:
    made = play.invite(table, by=alice, to="bob@example.com", at=AT)
    CHANGES[change](made)
    assert mail.deliver_invitation(made.pk, at=AT) == State.SUPERSEDED
    assert post_office.mails == []
    made.refresh_from_db()
    assert made.token == ""


def test_it_waits_for_the_morning_of_its_reader(
    table: Game, alice: Player, bob: Player, post_office: PostOffice
) -> None:
    Player.objects.filter(pk=bob.pk).update(quiet_from="20:00", quiet_until="07:00")
    made = play.invite(table, by=alice, to="bob", at=AT)
    assert mail.deliver_invitation(made.pk, at=AT) == State.DUE
    assert post_office.mails == []
    assert mail.deliver_invitation(made.pk, at=AT + timedelta(hours=11)) == State.SENT


def test_it_goes_again_after_a_passing_refusal(to_dora: Invitation, post_office: PostOffice) -> None:
    post_office.answers = ["451 later"]
    assert mail.deliver_invitation(to_dora.pk, at=AT) == State.DUE
    to_dora.refresh_from_db()
    assert (to_dora.error, to_dora.attempts, to_dora.due_at > AT) == ("busy", 1, True)
    assert mail.sweep_invitations(at=AT) == 0
    assert mail.sweep_invitations(at=to_dora.due_at) == 1
    assert post_office.ids == [to_dora.message_id]


def test_what_surely_was_not_sent_is_written_anew(to_dora: Invitation, bob: Player, post_office: PostOffice) -> None:
    post_office.answers = ["451 later"]
    assert mail.deliver_invitation(to_dora.pk, at=AT) == State.DUE
    play.join_table(to_dora.table, player=bob, at=AT)
    to_dora.refresh_from_db()
    assert not to_dora.is_rendered
    assert mail.sweep_invitations(at=to_dora.due_at) == 1
    assert "Seated so far: alice and bob." in words_of(post_office)


def test_what_may_be_out_goes_again_as_it_stands(to_dora: Invitation, bob: Player, post_office: PostOffice) -> None:
    claimed = outbox.claim(Invitation.objects.all(), to_dora.pk, at=AT, lease=LEASE)
    assert claimed
    mail.render_invitation(claimed)
    assert outbox.change(claimed, **claimed.content())
    play.join_table(to_dora.table, player=bob, at=AT)
    assert mail.sweep_invitations(at=AT + LEASE) == 1
    assert words_of(post_office) == " ".join(claimed.text.split())
    assert "Seated so far: alice." in words_of(post_office)
    to_dora.refresh_from_db()
    assert (to_dora.state, to_dora.is_rendered, to_dora.subject, to_dora.headers) == (State.SENT, False, "", [])


def test_what_may_be_out_stays_as_it_stands_after_a_refusal(to_dora: Invitation, post_office: PostOffice) -> None:
    claimed = outbox.claim(Invitation.objects.all(), to_dora.pk, at=AT, lease=LEASE)
    assert claimed
    mail.render_invitation(claimed)
    assert outbox.change(claimed, **claimed.content())
    post_office.answers = ["451 later"]
    assert mail.sweep_invitations(at=AT + LEASE) == 1
    to_dora.refresh_from_db()
    assert (to_dora.state, to_dora.error, to_dora.text) == (State.DUE, "busy", claimed.text)


def test_nothing_goes_that_another_has_taken_over_while_it_was_rendered(
    to_dora: Invitation, post_office: PostOffice
) -> None:
    with taken_over(Invitation):
        assert mail.deliver_invitation(to_dora.pk, at=AT) is None
    assert post_office.mails == []
    to_dora.refresh_from_db()
    assert (to_dora.state, to_dora.claim, to_dora.is_rendered) == (State.CLAIMED, "another", False)


def words_of(post_office: PostOffice) -> str:
    """What the plain text of the last mail says."""
    body = post_office.mails[-1].get_body(preferencelist=("plain",))
    assert body
    return " ".join(body.get_content().split())


def test_it_is_set_aside_when_the_address_is_refused(
    to_dora: Invitation, post_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    post_office.refused = {"dora@example.com": "550 5.1.1 no dora@example.com here"}
    assert mail.deliver_invitation(to_dora.pk, at=AT) == State.QUARANTINED
    assert "dora@" not in caplog.text
    assert to_dora.token not in caplog.text
    to_dora.refresh_from_db()
    assert (to_dora.error, to_dora.answer) == ("refused", "")


def test_it_is_given_up_after_many_attempts(to_dora: Invitation, no_post_office: None) -> None:
    Invitation.objects.update(attempts=MAX_ATTEMPTS - 1)
    assert mail.deliver_invitation(to_dora.pk, at=AT) == State.QUARANTINED


def test_another_sender_takes_over_one_whose_sender_died(to_dora: Invitation, post_office: PostOffice) -> None:
    Invitation.objects.update(state="claimed", claim="x" * 32, lease_until=AT + LEASE)
    assert mail.sweep_invitations(at=AT) == 0
    assert mail.sweep_invitations(at=AT + LEASE) == 1
    assert len(post_office.mails) == 1


@pytest.mark.django_db(transaction=True)
def test_it_is_owed_by_the_transaction_that_makes_it(table: Game, alice: Player) -> None:
    def undone() -> None:
        with transaction.atomic():
            play.invite(table, by=alice, to="dora@example.com", at=AT)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        undone()
    assert not Invitation.objects.exists()


# --- To a season ----------------------------------------------------------------------------------


@pytest.fixture
def season(alice: Player) -> Season:
    return play.open_season(alice, name="Spring league", size=2, rounds=3, key="1", at=AT)


def to_season(season: Season, to: str) -> Invitation:
    play.invite_to_season(season, by=season.opener, names=(to,), at=AT)
    return season.invitations.get()


def test_one_to_a_season_says_what_is_played_and_how_to_answer(season: Season, post_office: PostOffice) -> None:
    made = to_season(season, "dora@example.com")
    assert mail.deliver_invitation(made.pk, at=AT) == State.SENT
    [received] = post_office.mails
    text = str(received.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    html = str(received.get_body(("html",)).get_content())  # type: ignore[union-attr]
    assert received["Subject"] == "alice invites you to a season: Spring league"
    assert received["X-Clans-Game"] is None
    for part in (text, html):
        assert "alice invites you to Spring league, a season of several games of Clans." in part
        assert "Swiss, 2 at a table, 3 rounds." in part
        assert "3 days for each move" in part
        for word in ("Look and join", "Decline", "Never write to this address again"):
            assert word in part
    [token] = set(re.findall(r"/invitations/([\w-]{43})/", text))
    assert digest_of(token) == made.digest
    assert [part.get_content_type() for part in received.iter_parts()] == ["multipart/alternative", "image/png"]
    assert "alice@example.com" not in text + html


SEASON_CHANGES: dict[str, Callable[[Invitation, Season, Player], object]] = {
    "declined": lambda made, _season, _bob: play.decline_invitation(made, at=AT),
    "taken back": lambda made, season, _bob: play.withdraw_from_season(
        season, by=season.opener, invitation=made.pk, at=AT
    ),
    "closed": lambda _made, season, _bob: play.close_season(season, by=season.opener, at=AT),
    "joined": lambda _made, season, bob: Entrant.objects.create(season=season, player=bob, joined_at=AT),
    "blocked": lambda _made, season, bob: play.mute_player(bob, season.opener, blocks=True, at=AT),
    "quiet": lambda _made, _season, _bob: play.refuse_invitations(digest_of("bob@example.com"), at=AT),
}


@pytest.mark.parametrize("change", SEASON_CHANGES)
def test_one_to_a_season_does_not_go_when_it_is_not_true_any_more(
    season: Season, bob: Player, post_office: PostOffice, change: str
) -> None:
    made = to_season(season, "bob@example.com")
    SEASON_CHANGES[change](made, season, bob)
    assert mail.deliver_invitation(made.pk, at=AT) == State.SUPERSEDED
    assert post_office.mails == []
