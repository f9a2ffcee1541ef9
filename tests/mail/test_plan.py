"""Whether a mail is still true when it is to go out."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from pytest_django import Settings

from games import play
from games.mail.kinds.common import is_from_blocked
from games.mail.plan import Verdict, decide
from games.models import Game, Notice, Player, Seat
from tests.cast import AT, make_game, make_table, play_random, seat_to_move

Reason = Notice.Reason
RUNNING = [Notice.Kind.STARTED, Notice.Kind.TURN]
ALL = [*RUNNING, Notice.Kind.FINISHED]


def goes(notice: Notice) -> bool:
    """Whether the notice goes out when it is owed."""
    return decide(notice, at=notice.created_at).goes


def notice_of(game: Game, kind: str) -> Notice:
    return Notice.objects.filter(seat__game=game, kind=kind).select_related("seat__game", "seat__player").latest("pk")


@pytest.mark.parametrize("kind", RUNNING)
def test_it_is_true_at_first(game: Game, kind: str) -> None:
    assert goes(notice_of(game, kind))


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("gone", [{"mail_mode": "nothing"}, {"is_active": False}])
def test_it_is_not_wanted_any_more(game: Game, kind: str, gone: dict[str, bool]) -> None:
    if kind == Notice.Kind.FINISHED:
        play_random(game)
    assert goes(notice_of(game, kind))
    Player.objects.filter(username=notice_of(game, kind).seat.name).update(**gone)
    assert not goes(notice_of(game, kind))


def test_it_calls_nobody_who_has_moved(game: Game, turn: Notice) -> None:
    play_random(game, 1)
    assert not goes(Notice.objects.get(pk=turn.pk))
    assert goes(notice_of(game, Notice.Kind.TURN))


def test_it_calls_nobody_to_a_later_turn_by_an_old_mail(game: Game, turn: Notice) -> None:
    play_random(game, 3)
    assert seat_to_move(game) == turn.seat
    assert not goes(Notice.objects.get(pk=turn.pk))


def test_it_calls_nobody_who_has_resigned(game: Game, turn: Notice) -> None:
    assert turn.seat.player is not None
    play.resign(game, player=turn.seat.player, at=AT)
    assert not goes(Notice.objects.get(pk=turn.pk))


def test_it_does_not_welcome_who_has_resigned(game: Game) -> None:
    started = notice_of(game, Notice.Kind.STARTED)
    assert started.seat.player is not None
    play.resign(game, player=started.seat.player, at=AT)
    assert not goes(Notice.objects.get(pk=started.pk))


@pytest.mark.parametrize("kind", RUNNING)
def test_it_calls_nobody_to_a_game_that_is_over(game: Game, kind: str) -> None:
    for seat in game.seats.all():
        assert seat.player is not None
        play.agree_to_abandon(game, player=seat.player, agrees=True, at=AT)
    assert not goes(notice_of(game, kind))
    assert goes(notice_of(game, Notice.Kind.FINISHED))


def test_it_tells_the_end_to_who_resigned_too(game: Game, alice: Player) -> None:
    play.resign(game, player=alice, at=AT)
    play_random(game)
    assert goes(Notice.objects.get(seat__player=alice, kind=Notice.Kind.FINISHED))


def test_a_nudge_of_somebody_whom_its_reader_has_blocked_does_not_go(game: Game, turn: Notice) -> None:
    nudger, other = (seat.player for seat in game.seats.exclude(pk=turn.seat.pk).select_related("player"))
    assert nudger
    assert other
    play.mute_player(turn.reader, other, blocks=True, at=AT)
    play.mute_player(turn.reader, nudger, blocks=False, at=AT)
    for day in (1, 2):
        play.nudge(game, player=nudger, at=AT + timedelta(days=day))
        assert goes(notice_of(game, Notice.Kind.NUDGE)) == (day == 1)
        play.mute_player(turn.reader, nudger, blocks=True, at=AT)


def test_it_is_known_at_an_open_table_whom_its_reader_has_blocked(alice: Player, bob: Player, carol: Player) -> None:
    table = make_table(bob, size=4)
    for player in (carol, alice):
        play.join_table(table, player=player, at=AT)
    play.hand_on_table(table, by=bob, name="alice", at=AT)
    handed = notice_of(table, Notice.Kind.HANDED)
    play.mute_player(alice, carol, blocks=True, at=AT)
    assert not is_from_blocked(handed)
    play.mute_player(alice, bob, blocks=True, at=AT)
    assert is_from_blocked(handed)


# --- What its reader has seen --------------------------------------------------------------------


WAIT = timedelta(seconds=120)


@pytest.fixture
def waiting(settings: Settings, turn: Notice) -> Notice:
    """A call to the table, on a site where such calls wait for two minutes."""
    settings.MAIL_WAIT_SECONDS = WAIT.total_seconds()
    return turn


def verdict(notice: Notice, at: datetime) -> Verdict:
    loaded = Notice.objects.select_related("seat__game", "seat__player")
    return decide(loaded.get(pk=notice.pk), at=at)


def test_it_waits_two_minutes_and_no_longer(waiting: Notice) -> None:
    assert verdict(waiting, AT) == Verdict(Reason.PRESENCE, AT + WAIT)
    assert verdict(waiting, AT + WAIT - timedelta(seconds=1)) == Verdict(Reason.PRESENCE, AT + WAIT)
    assert verdict(waiting, AT + WAIT).goes


def test_it_is_superseded_once_its_reader_has_seen_the_table_at_that_ply(waiting: Notice, game: Game) -> None:
    assert waiting.seat.player is not None
    play.mark_seen(game, player=waiting.seat.player, ply=0, at=AT + timedelta(seconds=30))
    assert verdict(waiting, AT + WAIT) == Verdict(Reason.SEEN)


def test_it_is_not_superseded_by_a_look_before_it_was_owed(waiting: Notice, game: Game) -> None:
    assert waiting.seat.player is not None
    play.mark_seen(game, player=waiting.seat.player, ply=0, at=AT - timedelta(seconds=1))
    assert verdict(waiting, AT + WAIT).goes


def test_it_is_not_superseded_by_a_look_at_an_earlier_ply(game: Game, settings: Settings) -> None:
    """A page that was never brought up to date shows what was, whatever the clock says."""
    settings.MAIL_WAIT_SECONDS = WAIT.total_seconds()
    play_random(game, 1)
    called = notice_of(game, Notice.Kind.TURN)
    assert called.seat.player is not None
    play.mark_seen(game, player=called.seat.player, ply=0, at=called.created_at + timedelta(seconds=30))
    assert verdict(called, called.created_at + WAIT).goes


def test_it_is_not_superseded_by_a_look_of_another_player(waiting: Notice, game: Game) -> None:
    for seat in game.seats.exclude(pk=waiting.seat_id):
        assert seat.player is not None
        play.mark_seen(game, player=seat.player, ply=0, at=AT + timedelta(seconds=30))
    assert verdict(waiting, AT + WAIT).goes


def test_it_counts_no_ply_that_the_game_has_not_reached(waiting: Notice, game: Game) -> None:
    assert waiting.seat.player is not None
    play.mark_seen(game, player=waiting.seat.player, ply=47, at=AT)
    assert Seat.objects.get(pk=waiting.seat_id).seen_ply == 0


def test_it_reminds_who_has_seen_the_table_and_not_moved(game: Game, turn: Notice) -> None:
    assert turn.seat.player is not None
    later = AT + timedelta(hours=40)
    play.mark_seen(game, player=turn.seat.player, ply=0, at=later - timedelta(hours=1))
    assert play.owe_reminders(at=later) == 1
    assert verdict(notice_of(game, Notice.Kind.REMINDER), later).goes


# --- What its reader wishes ----------------------------------------------------------------------


def wish(notice: Notice, **wishes: object) -> None:
    Player.objects.filter(seats=notice.seat).update(**wishes)


MODES = {
    "every": {"turn", "finished", "reminder", "nudge", "autopilot", "bounced", "expired"},
    "once": {"turn", "finished", "reminder", "nudge", "autopilot", "bounced", "expired"},
    "reminders": {"reminder", "nudge", "autopilot"},
    "nothing": set[str](),
}


@pytest.mark.parametrize("mode", MODES)
def test_it_sends_what_each_mode_says(turn: Notice, mode: str) -> None:
    wish(turn, mail_mode=mode)
    kinds = MODES["every"]
    going = {kind for kind in kinds if decide(_as(turn, kind), at=AT).goes}
    assert going == MODES[mode]


def _as(notice: Notice, kind: str) -> Notice:
    """The same notice, were it of another kind."""
    changed = Notice.objects.select_related("seat__game", "seat__player").get(pk=notice.pk)
    changed.kind = kind
    return changed


def test_it_always_sends_a_test(turn: Notice) -> None:
    wish(turn, mail_mode="nothing", quiet_from=time(0), quiet_until=time(23, 59))
    assert decide(_as(turn, "test"), at=AT).goes


def test_it_makes_an_exception_for_a_table(turn: Notice) -> None:
    Seat.objects.filter(pk=turn.seat_id).update(mail_mode="nothing")
    assert verdict(turn, AT) == Verdict(Reason.UNWANTED)
    wish(turn, mail_mode="nothing")
    Seat.objects.filter(pk=turn.seat_id).update(mail_mode="every")
    assert verdict(turn, AT).goes


def test_it_sends_one_until_its_reader_visits(game: Game, turn: Notice) -> None:
    wish(turn, mail_mode="once")
    other = make_game(*[seat.player for seat in game.seats.order_by("pk") if seat.player], at=AT)
    first, second = (
        Notice.objects.filter(seat__player=turn.seat.player, seat__game=table).latest("pk") for table in (game, other)
    )
    Notice.objects.filter(pk=first.pk).update(state="sent", sent_at=AT)
    assert verdict(second, AT + WAIT) == Verdict(Reason.VISIT)
    wish(turn, visited_at=AT + timedelta(minutes=1))
    assert verdict(second, AT + WAIT).goes


@pytest.mark.parametrize(("everywhere", "here"), [("once", ""), ("every", "once")])
def test_who_moves_has_visited(game: Game, turn: Notice, everywhere: str, here: str) -> None:
    """Also with script off, where no page says that it is in sight; be it the mode of that table alone."""
    wish(turn, mail_mode=everywhere)
    Seat.objects.filter(pk=turn.seat_id).update(mail_mode=here)
    Notice.objects.filter(pk=turn.pk).update(state="sent", sent_at=AT)
    play_random(game, 3, every=timedelta(hours=1))
    again = Notice.objects.get(seat=turn.seat, kind="turn", ply=3)
    assert verdict(again, AT + timedelta(hours=4)).goes


def test_it_keeps_calls_for_the_digest_but_not_reminders(turn: Notice) -> None:
    """Seven in the morning in Vienna is six by universal time, and the evening of AT is over."""
    wish(turn, mail_mode="digest", digest_hours="7,18", time_zone="Europe/Vienna")
    morning = datetime(2026, 3, 3, 6, 0, tzinfo=UTC)
    assert verdict(turn, AT) == Verdict(Reason.DIGEST, morning)
    assert verdict(turn, morning).goes
    assert decide(_as(turn, "reminder"), at=AT).goes


def test_it_holds_every_mail_in_quiet_hours(turn: Notice) -> None:
    wish(turn, quiet_from=time(20, 30), quiet_until=time(7), time_zone="Europe/Vienna")
    morning = datetime(2026, 3, 3, 6, 0, tzinfo=UTC)
    for kind in ("turn", "reminder", "nudge", "finished"):
        assert decide(_as(turn, kind), at=AT) == Verdict(Reason.QUIET, morning)


def test_it_holds_every_mail_on_days_off(turn: Notice) -> None:
    wish(turn, days_off="01")
    assert verdict(turn, AT) == Verdict(Reason.QUIET, datetime(2026, 3, 4, tzinfo=UTC))


def test_it_sends_nothing_to_an_address_that_bounces(turn: Notice) -> None:
    wish(turn, mail_bounced_at=AT)
    assert verdict(turn, AT) == Verdict(Reason.BOUNCED)
