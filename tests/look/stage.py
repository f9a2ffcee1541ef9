"""Where visits take place: the scenery with what else they need, and everybody on the way in."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail as post
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import mail, play, pov, rules
from games.mail.transport.mailbox import store_mail
from games.models import (
    Game,
    Invitation,
    Mail,
    Notice,
    PageFor,
    Player,
    Rating,
    Season,
    TurnToken,
    make_turn_token,
)
from games.pages.practice.page import KEY as PRACTICE
from tests.account.signing_in import code_in, enter_code, sign_in, sign_up
from tests.cast import AT, PASSWORD, make_game, make_player, play_random
from tests.faults.scenery import Scenery, make_scenery
from tests.look.visits import OF_MANY_TABLES, Visit
from tests.mail.composed import compose
from tests.pages.helpers import game_before_a_choice
from tests.play.test_practice import play_some

PASSKEY = json.loads((Path(__file__).parents[1] / "account/passkey.json").read_text())
MAILS = 6


@dataclass(frozen=True, slots=True)
class Stage:
    """The scenery, with a table at which an order has to be chosen, a player with every lock, one whose mails
    come back, one on vacation, and a mailbox."""

    scenery: Scenery
    choice: rules.Move
    passkey: int
    mail: str

    def client(self, visit: Visit) -> Client:
        """The browser of whoever pays this visit, just before."""
        cache.clear()
        client = Client(raise_request_exception=False)
        if visit.who in WAYS:
            WAYS[visit.who](client)
        elif visit.who.endswith("presser"):
            open_mail(client, self.scenery.games[visit.table], is_late=visit.who.startswith("late"))
        elif player := self._player(visit):
            # Whoever signed in may have got a new hash of the same password, and sessions hang on it.
            client.force_login(Player.objects.get(pk=player.pk))
        return client

    def path(self, visit: Visit) -> str:
        """The address, with what stands behind its question mark."""
        values = self._values(visit)
        of_table = visit.table and visit.route not in OF_MANY_TABLES
        args = [self.scenery.games[visit.table].slug] if of_table else []
        args += [arg.format(**values) for arg in visit.args]
        path = reverse(visit.route, urlconf="tests.look.wrong", args=args)
        return f"{path}?{visit.query.format(**values)}" if visit.query else path

    def form(self, visit: Visit) -> dict[str, str] | None:
        """What is posted, if anything is."""
        values = self._values(visit)
        if visit.form is None:
            return None
        return {name.format(**values): text.format(**values) for name, text in visit.form.items()}

    def answer(self, visit: Visit) -> Any:
        """What the site answers, asked without a server."""
        client, path, form = self.client(visit), self.path(visit), self.form(visit)
        return client.get(path) if form is None else client.post(path, form)

    def _player(self, visit: Visit) -> Player | None:
        game = self.scenery.games.get(visit.table)
        if visit.who in {"mover", "waiter"}:
            assert game is not None
            people = [seat.player for seat in game.seats.select_related("player") if seat.player]
            return next(person for person in people if (person == game.awaited) == (visit.who == "mover"))
        return self.scenery.viewer({"stranger": "mallory", "operator": "visitor"}.get(visit.who, visit.who))

    def _values(self, visit: Visit) -> Mapping[str, object]:
        """What addresses and forms may name."""
        values: dict[str, object] = {"passkey": self.passkey, "mail": self.mail}
        values["former"] = Player.objects.filter(closed_at__isnull=False).values_list("username", flat=True).first()
        for name, table in (("series", "asks who is ready"), ("public_series", "second of a series")):
            belongs = self.scenery.games[table].series
            values[name] = belongs.slug if belongs else ""
        values |= {f"{season.status}_season": season.slug for season in Season.objects.all()}
        values["finished"] = self.scenery.games["finished"].slug
        values["token"] = self.scenery.stop_links()[2].split("/")[-2]
        values["free"] = self.scenery.games["taken over"].seats.exclude(resigned_at=None).get().number
        values["invitation"] = self.scenery.invitation
        values["season_invitation"] = self.scenery.season_invitation
        values["refusal"] = mail.refuse_url("dora@example.com").split("/")[-2]
        if game := self.scenery.games.get(visit.table):
            moves = rules.legal_moves(game.position()) if game.huts else []
            move = self.choice if visit.table == "choice" else moves and moves[0]
            values |= {"slug": game.slug, "ply": game.ply, "move": move}
        return values


def set_stage() -> Stage:
    """Everything that visits need, written into the database and the mailbox at hand."""
    scenery = make_scenery()
    alice, bob, carol = (scenery.players[name] for name in ("alice", "bob", "carol"))
    scenery.games["choice"], choice = game_before_a_choice(alice, bob, carol)
    scenery.games["on reserve"] = make_game(alice, bob, at=timezone.now() - timedelta(hours=80))
    scenery.players["judy"] = run_seasons()
    passkey = lock(make_player("locked"))
    Player.objects.filter(pk=make_player("keyless").pk).update(password="!", page_for=PageFor.NOBODY)
    Player.objects.filter(pk=carol.pk).update(page_for=PageFor.MET)
    for player, games in ((alice, 30), (scenery.players["mallory"], 5)):
        rate(player, games)
    send_nothing_to(make_player("bounced"), alice)
    leave(make_player("away"), timezone.now())
    scenery.games["left"] = play_random(make_game(bob, leaver := make_player("leaver")), seed=7)
    play.close_account(leaver, at=AT)
    mails = Notice.objects.select_related("seat__game", "seat__player").order_by("-pk")[:MAILS]
    now = timezone.now()
    Invitation.objects.update(expires_at=now + timedelta(days=14))
    Invitation.objects.exclude(game=None).update(kept_until=now + timedelta(days=3))
    pov.publish_archive(at=AT)
    keys = [store_mail(compose(notice).message().as_bytes()) for notice in mails]
    return Stage(scenery, choice, passkey, keys[-1])


def run_seasons() -> Player:
    """A season whose second round is played, after somebody has left, and one that is over; who opened both."""
    judy, *others = (make_player(name) for name in ("judy", "frank", "gina", "hugo", "irma"))
    for name, rounds, people in (("Autumn league", 3, others), ("Summer league", 1, others[:2])):
        season = play.open_season(judy, name=name, size=2, rounds=rounds, key=name, at=AT)
        for player in people:
            play.join_season(season, player=player, at=AT)
        play.begin_season(season, by=judy, at=AT)
        play.advance_season(season.pk, at=AT)
        if rounds > 1:
            play.leave_season(season, player=people[-1], at=AT)
        for game in Game.objects.filter(season_table__round__season=season, status=Game.Status.RUNNING):
            play_random(game, 80, seed=game.pk)
        play.advance_season(season.pk, at=AT)
    return judy


def rate(player: Player, games: int) -> None:
    """Give the player a rating after so many games, which went up and down."""
    rating, _is_new = Rating.objects.get_or_create(player=player)
    rating.curve = []
    for number in range(1, games + 1):
        rating.games, rating.rated_at = number, AT + timedelta(days=3 * number)
        rating.mu, rating.sigma = 25 + 3 * math.sin(number), 8 / math.sqrt(number) + 2
        rating.note_change()
    rating.save()


def send_nothing_to(player: Player, other: Player) -> None:
    """Let the mails to the player, who sits at a table with the other, come back; one has been set aside."""
    refused = Mail.objects.create(
        player=player,
        message_id="<refused@localhost>",
        state=Mail.State.QUARANTINED,
        error=Mail.Error.REFUSED,
        detail="550 5.1.1 <bounced@example.com>: no such user",
        created_at=AT,
        due_at=AT,
    )
    Notice.objects.filter(seat__game=make_game(player, other), seat__player=player).update(
        state=Notice.State.QUARANTINED, mail=refused
    )
    Player.objects.filter(pk=player.pk).update(mail_bounced_at=AT, mail_bounce="550 5.1.1 no such user")


def leave(player: Player, at: datetime) -> None:
    """Begin a vacation of a week, and plan another one."""
    today = player.calendar().day(at)
    for first, days in ((0, 7), (30, 1)):
        begin = today + timedelta(days=first)
        play.plan_vacation(player, first=begin, last=begin + timedelta(days=days - 1), at=at)


def lock(player: Player) -> int:
    """The key of the player's passkey, beside which there are an app and recovery codes now."""
    TOTP.activate(player, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(player)
    passkey: int = Authenticator.objects.create(user=player, type="webauthn", data=PASSKEY).pk
    return passkey


# --- On the way in -------------------------------------------------------------------------------


def come_new(client: Client) -> None:
    """Sign up, and wait for the code."""
    Player.objects.filter(username="dora").delete()
    sign_up(client, email="dora@example.com", username="dora")


def forget_password(client: Client) -> None:
    client.post(reverse("account_reset_password"), {"email": "bob@example.com"})


def ask_for_code(client: Client) -> None:
    client.post(reverse("account_request_login_code"), {"email": "bob@example.com"})


def get_a_new_lock(client: Client) -> None:
    """Come to where a new password is chosen."""
    forget_password(client)
    enter_code(client, _last_code(), page="account_confirm_password_reset_code")


def come_with_a_finger(client: Client) -> None:
    """Sign up without a password, up to the making of the passkey."""
    Player.objects.filter(username="erin").delete()
    form = {"email": "erin@example.com", "username": "erin"}
    client.post(reverse("account_signup_by_passkey"), form)
    enter_code(client, _last_code())


def practise(client: Client, *, moves: int = 0) -> None:
    """Begin a practice game, and let so many moves of it have been played."""
    client.post(reverse("practice"))
    session = client.session
    session[PRACTICE] = play_some(play.read_practice(session[PRACTICE]), moves=moves).as_data()
    session.save()


def come_in(client: Client, name: str) -> None:
    """Be in, past all locks, and have given the password a moment ago."""
    sign_in(client, name)
    client.force_login(Player.objects.get(username=name))
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def open_mail(client: Client, game: Game, *, is_late: bool) -> None:
    """Come by the mail of whoever is to move, who moves without signing in; or who no longer wishes to, by then."""
    seat = game.seats.select_related("game", "player").get(number=game.to_move)
    assert seat.player is not None
    secret = make_turn_token(seat.player, {1: seat}, use=TurnToken.Use.PRESS, at=AT)
    Player.objects.filter(pk=seat.player.pk).update(presses=not is_late)
    client.post(reverse("open_press", args=(game.slug,)), {"secret": secret})


def _last_code() -> str:
    return code_in(post.outbox[-1])


WAYS: dict[str, Callable[[Client], object]] = {
    "newcomer": come_new,
    "forgetful": ask_for_code,
    "absent-minded": forget_password,
    "with a new lock": get_a_new_lock,
    "with a finger": come_with_a_finger,
    "beginner": practise,
    "practised": lambda client: practise(client, moves=60),
    "between locks": lambda client: sign_in(client, "locked"),
    "insider": lambda client: come_in(client, "alice"),
    "locked": lambda client: come_in(client, "locked"),
    **{
        name: lambda client, name=name: client.force_login(Player.objects.get(username=name))  # type: ignore[misc]
        for name in ("keyless", "bounced", "away")
    },
}
