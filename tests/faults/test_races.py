"""Eight at once, at a real server of several processes on a SQLite file: one wins, the others get a plain answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

import pytest
from pytest_django import DjangoDbBlocker

from games import play, rules, words
from games.enqueue import without_enqueueing
from games.models import Game, Notice, Player
from tests.cast import PASSWORD, make_game, make_player, make_table, play_random, seat_to_move
from tests.faults.callers import AT_ONCE, Answer, Caller, all_at_once
from tests.faults.sound import unsound
from tests.servers import Site

ROUNDS = range(3)
STALE = words.explain_refusal(play.StaleMove())
FULL = words.explain_refusal(play.TableFull())
NOT_OPEN = words.explain_refusal(play.TableNotOpen())


@pytest.fixture(scope="module")
def _people(served: Site, django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.unblock(), served.database():
        for name in ("alice", "bob", "carol", *(f"guest{number}" for number in range(AT_ONCE))):
            make_player(name)


def faults_in(log: str) -> list[str]:
    """What the site has reported, but for requests that it refused, as it should."""
    return [line for line in log.splitlines() if ": refused with 4" not in line]


@pytest.fixture(autouse=True)
def _at_the_site(served: Site, _people: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Models read and write the site's database; afterwards it is sound, and its processes have reported nothing."""
    said = faults_in(served.log("web"))
    with django_db_blocker.unblock(), served.database(), without_enqueueing():
        yield
        faults = unsound()
        Game.objects.all().delete()
    assert faults == []
    served.check_alive()
    assert faults_in(served.log("web")) == said


@pytest.fixture
def callers(served: Site) -> Callable[[str], Caller]:
    return lambda name: Caller(served, Player.objects.get(username=name))


@pytest.fixture
def visitor(served: Site) -> Iterator[Caller]:
    """Somebody with the sign-up form before them."""
    caller = Caller(served)
    caller.open("/accounts/signup/")
    yield caller
    Player.objects.never_confirmed().delete()


def signing_up(visitor: Caller, name: str, address: str) -> Callable[[], Callable[[], Answer]]:
    """Under a name of nobody: the site is that of other tests, too, and their people stay."""
    return visitor.post("/accounts/signup/", {"username": name, "email": address, "password1": PASSWORD})


def player(name: str) -> Player:
    return Player.objects.get(username=name)


def running_game(plies: int) -> Game:
    return play_random(make_game(player("alice"), player("bob"), player("carol")), plies)


def mover(callers: Callable[[str], Caller], game: Game) -> Caller:
    """Who is to move, with the table open before them."""
    caller = callers(seat_to_move(game).name)
    caller.open(game.get_absolute_url())
    return caller


def move_form(game: Game, move: rules.Move) -> dict[str, object]:
    return {"ply": game.ply, "move": str(move)}


def post(
    caller: Caller, game: Game, verb: str, form: dict[str, object] | None = None
) -> Callable[[], Callable[[], Answer]]:
    return caller.post(f"{game.get_absolute_url()}{verb}/", form or {})


def statuses(answers: Sequence[Answer]) -> dict[int, int]:
    return dict(Counter(answer.status for answer in answers))


def plain_moves(game: Game, count: int) -> list[rules.Move]:
    """Legal moves that need no founding order."""
    position = game.position()
    return [move for move in rules.legal_moves(position) if not rules.founding_orders(position, move)][:count]


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_opens_one_table_for_a_form_that_is_sent_eight_times(callers: Callable[[str], Caller], _round: int) -> None:
    caller = callers("alice")
    [deal] = re.findall(r'name="deal" value="([^"]+)"', caller.open("/tables/new/").text)
    form = {"deal": deal, "name": "Friday", "size": 3, "bots": 0, "five_clans": "score", "is_public": "yes"}
    form |= {"chance": "0123", "pace": "steady", "allows_vacation": "yes", "overdue": "autopilot"}
    answers = all_at_once([caller.post("/tables/new/", form)] * AT_ONCE)
    assert {(answer.status, answer.location) for answer in answers} == {(303, Game.objects.get().get_absolute_url())}


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_plays_a_move_once_that_is_sent_eight_times(callers: Callable[[str], Caller], _round: int) -> None:
    game = running_game(5)
    caller, [move] = mover(callers, game), plain_moves(game, 1)
    answers = all_at_once([post(caller, game, "move", move_form(game, move))] * AT_ONCE)
    assert {(answer.status, answer.location) for answer in answers} == {(303, game.get_absolute_url() + "#turn")}
    assert game.moves.count() == 6


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_plays_one_of_eight_moves(callers: Callable[[str], Caller], _round: int) -> None:
    game = running_game(5)
    caller, moves = mover(callers, game), plain_moves(game, AT_ONCE)
    answers = all_at_once([post(caller, game, "move", move_form(game, move)) for move in moves])
    assert statuses(answers) == {303: 1, 409: 7}
    assert all(STALE in answer.text for answer in answers if answer.status == 409)
    won = [move for move, answer in zip(moves, answers, strict=True) if answer.status == 303]
    assert [str(move) for move in won] == [game.moves.get(ply=5).text]


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_gives_the_last_seat_to_one_of_eight(callers: Callable[[str], Caller], _round: int) -> None:
    game = make_table(player("alice"), size=2)
    guests = [callers(f"guest{number}") for number in range(AT_ONCE)]
    for guest in guests:
        guest.open(game.get_absolute_url())
    answers = all_at_once([post(guest, game, "join", {"words": "now"}) for guest in guests])
    assert statuses(answers) == {303: 1, 409: 7}
    assert all(FULL in answer.text for answer in answers if answer.status == 409)
    game.refresh_from_db()
    assert (game.status, game.seats.count()) == (Game.Status.RUNNING, 2)


@pytest.mark.parametrize("verb", ["start", "close"])
@pytest.mark.parametrize("_round", ROUNDS)
def test_it_starts_or_closes_a_table_while_others_sit_down(
    callers: Callable[[str], Caller], verb: str, _round: int
) -> None:
    game = make_table(player("alice"), size=4)
    play.join_table(game, player=player("bob"), at=game.created_at)
    people = [callers(name) for name in ("alice", *(f"guest{number}" for number in range(AT_ONCE - 1)))]
    for caller in people:
        caller.open(game.get_absolute_url())
    sitting_down = [post(guest, game, "join", {"words": "now"}) for guest in people[1:]]
    [own, *joined] = all_at_once([post(people[0], game, verb, {"sure": "yes"}), *sitting_down])
    seats = 2 + statuses(joined).get(303, 0)
    game.refresh_from_db()
    assert game.seats.count() == seats <= 4
    assert own.status == 303 or (own.status == 409 and seats == 4)
    assert game.status == (Game.Status.CLOSED if (verb, own.status) == ("close", 303) else Game.Status.RUNNING)
    refused = [answer for answer in joined if answer.status != 303]
    assert all(answer.status == 409 and (FULL in answer.text or NOT_OPEN in answer.text) for answer in refused)


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_resigns_and_moves_at_once(callers: Callable[[str], Caller], _round: int) -> None:
    game = running_game(5)
    caller, moves = mover(callers, game), plain_moves(game, 4)
    answers = all_at_once(
        [post(caller, game, "move", move_form(game, move)) for move in moves]
        + [post(caller, game, "resign", {"sure": "yes"})] * 4
    )
    moved, resigned = answers[:4], answers[4:]
    assert statuses(moved).get(303, 0) == game.moves.count() - 5 <= 1
    assert set(statuses(moved)) <= {303, 403, 409}
    assert statuses(resigned) == {303: 4}
    assert game.seats.filter(resigned_at__isnull=False, is_bot=True).count() == 1


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_abandons_a_game_once(callers: Callable[[str], Caller], _round: int) -> None:
    game = running_game(5)
    people = [callers(name) for name in ("alice", "bob", "carol")]
    for caller in people:
        caller.open(game.get_absolute_url())
    agreeing = [post(people[number % 3], game, "abandon", {"agrees": "yes"}) for number in range(AT_ONCE)]
    answers = all_at_once(agreeing)
    assert statuses(answers) == {303: AT_ONCE}
    game.refresh_from_db()
    assert (game.status, game.end) == (Game.Status.FINISHED, Game.End.ABANDONED)
    assert Notice.objects.filter(seat__game=game, kind=Notice.Kind.FINISHED).count() == 3


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_owes_one_test_mail_of_eight(callers: Callable[[str], Caller], _round: int) -> None:
    make_table(player("alice"))
    caller = callers("alice")
    caller.open("/mail/")
    answers = all_at_once([caller.post("/mail/test/", {})] * AT_ONCE)
    assert statuses(answers) == {303: AT_ONCE}
    assert Notice.objects.filter(kind=Notice.Kind.TEST).count() == 1


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_plans_one_of_eight_vacations(callers: Callable[[str], Caller], _round: int) -> None:
    alice = player("alice")
    alice.vacations.all().delete()
    caller = callers("alice")
    caller.open("/vacation/")
    # Not today, which may be over before it is asked for.
    tomorrow = alice.calendar().day(play.now()) + timedelta(days=1)
    answers = all_at_once([caller.post("/vacation/", {"first": tomorrow, "last": tomorrow})] * AT_ONCE)
    assert statuses(answers) == {303: AT_ONCE}
    assert alice.vacations.count() == 1


@pytest.mark.parametrize("_round", ROUNDS)
def test_it_signs_up_once_who_clicks_twice(visitor: Caller, _round: int) -> None:
    twice = [signing_up(visitor, "nora", f"nora{_round}@example.com")] * 2
    answers = all_at_once(twice)
    assert {(answer.status, answer.location) for answer in answers} == {(302, "/accounts/confirm-email/")}
    assert Player.objects.filter(username="nora").count() == 1


def test_it_gives_a_name_to_one_of_four(visitor: Caller) -> None:
    """Not of eight: a host may sign up 20 times in a minute."""
    answers = all_at_once([signing_up(visitor, "Olaf", f"olaf{number}@example.com") for number in range(4)])
    assert statuses(answers) == {302: 1, 200: 3}
    assert all("Somebody has that name already" in answer.text for answer in answers if answer.status == 200)


def test_it_makes_one_player_of_one_address(visitor: Caller) -> None:
    answers = all_at_once([signing_up(visitor, f"fritz{number}", "fritz@example.com") for number in range(3)])
    assert {(answer.status, answer.location) for answer in answers} == {(302, "/accounts/confirm-email/")}
    assert Player.objects.filter(email="fritz@example.com").count() == 1
