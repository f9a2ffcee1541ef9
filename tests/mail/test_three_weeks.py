"""Three weeks of a game of three: zones, quiet hours, a digest, a vacation, summer time, who is late, who bounces.

Time is a parameter, so the weeks pass in seconds: whatever is due next happens next, as beat would have it happen. The
mails go to a real mail server. STORY lists each with its day and hour in its reader's own zone.
"""

from __future__ import annotations

import random
import zoneinfo
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.db.models import Min
from pytest_django import Settings

from games import mail, play, rules
from games.models import Deal, Game, MailMode, Notice, Player
from tests.cast import make_table, random_move, seat_to_move
from tests.mail.post_office import PostOffice

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BEGIN = datetime(2026, 3, 16, 17, 0, tzinfo=UTC)
END = BEGIN + 21 * DAY
SEED = [1, *[0] * 31]
STORY = """
Mon 16 Mar 18:02 alice: turn 0
Tue 17 Mar 04:02 carol: started 0
Mon 16 Mar 18:00 bob: started 0 and turn 1
Tue 17 Mar 08:00 bob: reminder 1
Tue 17 Mar 23:02 carol: turn 2
Wed 18 Mar 07:00 alice: turn 3
Wed 18 Mar 15:00 alice: reminder 3
Wed 18 Mar 21:29 alice: reminder 3
Thu 26 Mar 07:00 bob: turn 4
Thu 26 Mar 16:00 bob: reminder 4
Thu 26 Mar 21:29 bob: reminder 4
Sat 28 Mar 07:00 alice: turn 6
Sat 28 Mar 15:00 alice: reminder 6
Sat 28 Mar 21:29 alice: reminder 6
Mon 30 Mar 07:00 alice: reminder 6
Mon 30 Mar 19:00 alice: reminder 6
Mon 30 Mar 21:29 alice: reminder 6
Tue 31 Mar 07:02 alice: autopilot 7
Tue 31 Mar 13:00 alice: bounced 7
Tue 31 Mar 22:00 carol: bounced 7
Fri 03 Apr 16:02 carol: turn 8
Sat 04 Apr 08:00 carol: reminder 8
Sat 04 Apr 10:00 carol: reminder 8
Sat 04 Apr 13:36 carol: reminder 8
Sat 04 Apr 11:02 alice: turn 9
Sun 05 Apr 07:00 alice: reminder 9
Sun 05 Apr 08:36 alice: reminder 9
Sun 05 Apr 07:00 bob: turn 10
Sun 05 Apr 16:00 bob: reminder 10
Sun 05 Apr 21:29 bob: reminder 10
Mon 06 Apr 04:02 bob: autopilot 11
Mon 06 Apr 18:32 carol: turn 11
"""
"""Day and hour of its reader, kind and ply of each notice in it. What bob is owed from the 31st
of March to the 4th of April is never sent, and nobody is called to the ply that alice withdraws."""
ZONES = {"alice": "Europe/Vienna", "bob": "America/New_York", "carol": "Australia/Lord_Howe"}


def at(zone: str, day: str, hour: int) -> datetime:
    """An hour of a player's own clock."""
    return datetime.combine(date.fromisoformat(day), time(hour), zoneinfo.ZoneInfo(ZONES[zone])).astimezone(UTC)


@dataclass
class Weeks:
    """The table, the hour, and the mails so far as lines."""

    office: PostOffice
    game: Game
    now: datetime = BEGIN
    lines: list[str] = field(default_factory=list)
    rng: random.Random = field(default_factory=lambda: random.Random(4))

    def pass_until(self, moment: datetime) -> None:
        """Let happen what is due until then, each thing when it is due."""
        while (due := self._next_due()) is not None and due <= moment:
            self.now = max(self.now, due)
            self._beat()
        self.now = moment

    def move(self) -> None:
        """Whoever is to move moves now."""
        self.game.refresh_from_db()
        seat = seat_to_move(self.game)
        move = random_move(self.game.position(), self.rng)
        key = f"{self.game.edition}-{self.game.ply}"
        play.play_move(self.game, seat=seat, move=move, ply=self.game.ply, key=key, at=self.now)
        self._beat()

    def mover(self) -> str:
        self.game.refresh_from_db()
        return seat_to_move(self.game).name

    def _next_due(self) -> datetime | None:
        game = Game.objects.get(pk=self.game.pk)
        mails = Notice.objects.filter(state=Notice.State.DUE).aggregate(next=Min("due_at"))["next"]
        return min((moment for moment in (game.due_at, game.remind_at, mails) if moment), default=None)

    def _beat(self) -> None:
        play.end_overdue_turns(at=self.now)
        play.owe_reminders(at=self.now)
        mail.sweep(at=self.now)
        for received in sorted(self.office.mails[len(self.lines) :], key=lambda received: str(received["To"])):
            reader = str(received["To"]).partition("@")[0]
            local = self.now.astimezone(zoneinfo.ZoneInfo(ZONES[reader]))
            self.lines.append(f"{local:%a %d %b %H:%M} {reader}: {_carried(str(received['Message-ID']))}")


def _carried(message_id: str) -> str:
    """The notices that came with a mail."""
    notices = Notice.objects.filter(mail__message_id=message_id, state=Notice.State.SENT).order_by("ply", "pk")
    return " and ".join(f"{notice.kind} {notice.ply}" for notice in notices)


@pytest.fixture
def weeks(post_office: PostOffice, settings: Settings, alice: Player, bob: Player, carol: Player) -> Weeks:
    settings.MAIL_WAIT_SECONDS = 120
    wishes: dict[Player, dict[str, object]] = {
        alice: {"quiet_from": time(22), "quiet_until": time(7)},
        bob: {"mail_mode": MailMode.DIGEST, "digest_hours": "7,18"},
        carol: {"days_off": "6"},
    }
    for player, wished in wishes.items():
        Player.objects.filter(pk=player.pk).update(time_zone=ZONES[player.username], **wished)
        player.refresh_from_db()
    game = make_table(alice, terms=play.Terms(move_hours=24, reserve_hours=48), at=BEGIN)
    # So that it is always the same who begins: alice, then bob, then carol.
    seed = bytes(SEED)
    salts = [bytes([place]) * rules.SALT_BYTES for place in range(game.size)]
    hashes = [rules.hash_salt(salt) for salt in salts]
    Deal.objects.filter(game=game).update(
        seed=seed,
        salts=[salt.hex() for salt in salts],
        salt_hashes=hashes,
        commitment=rules.commitment(seed, hashes),
    )
    play.join_table(game, player=bob, at=BEGIN)
    play.join_table(game, player=carol, at=BEGIN)
    return Weeks(post_office, game)


def test_it_tells_each_player_what_they_need_and_nothing_else(weeks: Weeks) -> None:
    alice, bob, carol = (Player.objects.get(username=name) for name in ZONES)
    weeks.pass_until(at("alice", "2026-03-16", 20))
    weeks.move()
    # Bob reads mail at seven and at six.
    weeks.pass_until(at("bob", "2026-03-17", 8))
    weeks.move()
    weeks.pass_until(at("carol", "2026-03-18", 9))
    weeks.move()
    # At eleven at night: alice sleeps, and a week of vacation begins the day after.
    weeks.pass_until(at("alice", "2026-03-18", 12))
    play.plan_vacation(alice, first=date(2026, 3, 19), last=date(2026, 3, 25), at=weeks.now)
    weeks.pass_until(at("alice", "2026-03-26", 9))
    weeks.move()
    weeks.pass_until(at("bob", "2026-03-27", 9))
    weeks.move()
    # Carol is at the table when bob moves, so no mail calls her.
    weeks.pass_until(weeks.now + timedelta(minutes=1))
    weeks.game.refresh_from_db()
    play.mark_seen(weeks.game, player=carol, ply=5, at=weeks.now)
    weeks.pass_until(at("carol", "2026-03-28", 10))
    weeks.move()
    # The clocks of Vienna go forward, alice does not come, the autopilot moves, and she takes it back.
    weeks.pass_until(at("alice", "2026-03-31", 12))
    play.withdraw_autopilot(weeks.game, player=alice, at=weeks.now)
    weeks.move()
    weeks.office.refused = {bob.email: "550 5.1.1 no such mailbox"}
    weeks.pass_until(at("carol", "2026-04-04", 20))
    weeks.move()
    weeks.office.refused = {}
    bob.refresh_from_db()
    mail.try_again(bob, at=weeks.now)
    weeks.pass_until(at("alice", "2026-04-05", 10))
    weeks.move()
    weeks.pass_until(END)
    assert weeks.lines == STORY.strip().splitlines()
    assert mail.faults(at=weeks.now) == []
