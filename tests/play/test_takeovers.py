"""Taking over a seat: who may, what they get, what goes with whoever had it, and who is first of two."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.apps import apps
from django.test import Client

from games import play, pov, words
from games.mail.plan import still_true
from games.models import Event, FormerHolder, Game, Meeting, Note, Notice, Player, Postcard, Rating, Seat, Tally
from games.models.totals import count_totals
from games.play.away import come_back
from games.rules.random_play import random_move
from tests.cast import AT, make_player, make_table, play_out, play_random, seat_to_move
from tests.pages.helpers import text_of

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
LATER = AT + 5 * HOUR


@pytest.fixture
def open_game(alice: Player, bob: Player, carol: Player) -> Game:
    """A rated game at a table whose seats may be taken over."""
    game = make_table(alice, size=3, is_rated=True, terms=play.Terms(allows_takeover=True))
    for player in (bob, carol):
        play.join_table(game, player=player, entropy=f"words of {player.username}", at=AT)
    game.refresh_from_db()
    return game


def seat_of(game: Game, player: Player) -> Seat:
    return game.seats.get(player=player)


def number_of(game: Game, player: Player) -> int:
    number = seat_of(game, player).number
    assert number is not None
    return number


def resigned(game: Game, player: Player) -> int:
    """The number of the seat that `player` has just resigned."""
    play.resign(game, player=player, at=AT + HOUR)
    game.refresh_from_db()
    return number_of(game, player)


def test_it_gives_the_card_and_a_fresh_clock_to_somebody_else(open_game: Game, bob: Player, mallory: Player) -> None:
    number = resigned(open_game, bob)
    before = seat_of(open_game, bob)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    seat = open_game.seats.get(number=number)
    assert (seat.player, seat.name, seat.clan) == (mallory, "mallory", before.clan)
    assert (seat.is_bot, seat.resigned_at, seat.autopiloted, seat.reserve_used) == (False, None, 0, timedelta())
    assert (seat.taken_over_at, seat.name_in_deal) == (LATER, "bob")
    mine = pov.look(open_game, viewer=mallory).me
    assert mine is not None
    assert mine.clan == before.clan
    assert pov.look(open_game, viewer=bob).me is None


def test_it_begins_the_turn_again_and_calls_who_has_taken_it(
    open_game: Game, alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    mover = seat_to_move(open_game).player
    assert mover is not None
    number = resigned(open_game, mover)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    open_game.refresh_from_db()
    assert (open_game.awaited, open_game.turn_since) == (mallory, LATER)
    assert open_game.due_at is not None
    assert open_game.due_at > LATER + 72 * HOUR
    assert Notice.objects.filter(player=mallory, kind=Notice.Kind.TURN, state=Notice.State.DUE).count() == 1
    assert not Notice.objects.filter(player=mover, kind=Notice.Kind.TURN, state=Notice.State.DUE).exists()
    play_random(open_game, 1, every=6 * HOUR)
    assert open_game.moves.filter(seat=number, by_bot=False).exists()


def test_it_tells_whoever_had_the_seat_by_mail(open_game: Game, bob: Player, mallory: Player) -> None:
    number = resigned(open_game, bob)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    told = Notice.objects.get(kind=Notice.Kind.TAKEN)
    assert (told.player, told.about, told.state) == (bob, number, Notice.State.DUE)
    assert told.reader == bob


def test_it_takes_a_seat_from_the_autopilot_and_from_nobody_who_plays(
    open_game: Game, bob: Player, mallory: Player
) -> None:
    number = number_of(open_game, bob)
    with pytest.raises(play.NotToTakeOver):
        play.take_over(open_game, player=mallory, number=number, at=LATER)
    Seat.objects.filter(player=bob).update(autopiloted=2)
    with pytest.raises(play.NotToTakeOver):
        play.take_over(open_game, player=mallory, number=number, at=LATER)
    Seat.objects.filter(player=bob).update(autopiloted=3)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    assert open_game.seats.get(number=number).player == mallory


def test_a_table_that_does_not_allow_it_has_no_free_seat(game: Game, bob: Player, mallory: Player) -> None:
    number = resigned(game, bob)
    with pytest.raises(play.NotToTakeOver):
        play.take_over(game, player=mallory, number=number, at=LATER)


@pytest.mark.parametrize("number", [-1, 3, 9])
def test_there_is_no_such_seat_to_take(open_game: Game, bob: Player, mallory: Player, number: int) -> None:
    resigned(open_game, bob)
    with pytest.raises(play.NotToTakeOver):
        play.take_over(open_game, player=mallory, number=number, at=LATER)


def test_the_seat_of_a_computer_player_is_not_free(alice: Player, bob: Player, mallory: Player) -> None:
    table = make_table(alice, size=3, bots=1, terms=play.Terms(allows_takeover=True))
    play.join_table(table, player=bob, at=AT)
    bot = table.seats.get(player=None)
    assert bot.number is not None
    with pytest.raises(play.NotToTakeOver):
        play.take_over(table, player=mallory, number=bot.number, at=LATER)


def test_nobody_takes_over_who_knows_a_card(open_game: Game, alice: Player, bob: Player, mallory: Player) -> None:
    """Neither who plays, nor who has resigned, nor whose own seat somebody else has."""
    number = resigned(open_game, bob)
    for player in (alice, bob):
        with pytest.raises(play.HadSeat):
            play.take_over(open_game, player=player, number=number, at=LATER)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    other = resigned(open_game, alice)
    with pytest.raises(play.HadSeat):
        play.take_over(open_game, player=bob, number=other, at=LATER)


def test_nobody_takes_over_whom_a_player_has_blocked(
    open_game: Game, alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    number = resigned(open_game, bob)
    play.mute_player(carol, mallory, blocks=False, at=AT)
    other = make_player("oscar")
    play.mute_player(carol, other, blocks=True, at=AT)
    with pytest.raises(play.NotWelcome):
        play.take_over(open_game, player=other, number=number, at=LATER)
    play.take_over(open_game, player=mallory, number=number, at=LATER)


def test_nothing_is_taken_over_when_the_game_is_over(
    open_game: Game, alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    number = resigned(open_game, bob)
    for player in (alice, carol):
        play.agree_to_abandon(open_game, player=player, agrees=True, at=LATER)
    with pytest.raises(play.GameNotRunning):
        play.take_over(open_game, player=mallory, number=number, at=LATER)


def test_who_took_over_may_resign_before_anybody_has_moved(
    open_game: Game, alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    number = resigned(open_game, bob)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    play.resign(open_game, player=mallory, at=LATER + HOUR)
    told = Notice.objects.filter(kind=Notice.Kind.RESIGNED, about=number)
    assert sorted(told.values_list("player", flat=True)) == sorted([alice.pk, carol.pk] * 2)
    play.take_over(open_game, player=make_player("oscar"), number=number, at=LATER + 2 * HOUR)


# --- Who is first ---------------------------------------------------------------------------------


def test_of_two_who_ask_for_a_seat_the_second_gets_an_answer(open_game: Game, bob: Player, mallory: Player) -> None:
    number = resigned(open_game, bob)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    with pytest.raises(play.NotToTakeOver):
        play.take_over(open_game, player=make_player("oscar"), number=number, at=LATER)
    assert FormerHolder.objects.count() == 1


def test_who_comes_back_first_keeps_the_seat(open_game: Game, bob: Player, mallory: Player) -> None:
    Seat.objects.filter(player=bob).update(autopiloted=3)
    # Whoever is on autopilot is not called when a turn begins, but may have been for the first one here.
    Notice.objects.filter(player=bob).delete()
    number = number_of(open_game, bob)
    come_back(open_game, player=bob, at=LATER)
    with pytest.raises(play.NotToTakeOver):
        play.take_over(open_game, player=mallory, number=number, at=LATER)


def test_who_comes_back_too_late_has_no_seat(open_game: Game, bob: Player, mallory: Player) -> None:
    Seat.objects.filter(player=bob).update(autopiloted=3)
    play.take_over(open_game, player=mallory, number=number_of(open_game, bob), at=LATER)
    with pytest.raises(play.NoSuchSeat):
        come_back(open_game, player=bob, at=LATER)
    with pytest.raises(play.NoSuchSeat):
        play.mark_seen(open_game, player=bob, ply=0, at=LATER)


def test_a_move_on_its_way_is_not_played_in_the_name_of_another(open_game: Game, mallory: Player) -> None:
    """The page had read the seat of its old player, on autopilot, before somebody else took it over."""
    seat = seat_to_move(open_game)
    Seat.objects.filter(pk=seat.pk).update(autopiloted=3)
    late = Seat.objects.get(pk=seat.pk)
    assert seat.number is not None
    play.take_over(open_game, player=mallory, number=seat.number, at=LATER)
    move = random_move(open_game.position(), random.Random(1))
    with pytest.raises(play.NotYourTurn):
        play.play_move(open_game, seat=late, move=move, ply=0, key="late", at=LATER)
    assert not open_game.moves.exists()


# --- What goes with whoever had it ----------------------------------------------------------------


def test_it_deletes_what_only_the_old_player_might_see(open_game: Game, bob: Player, mallory: Player) -> None:
    play.write_note(open_game, player=bob, text="alice is red", seen="", at=AT)
    play.mark_suspicion(
        open_game,
        player=bob,
        about=(number_of(open_game, bob) + 1) % 3,
        clan=next(clan for clan in ("red", "blue") if clan != seat_of(open_game, bob).clan),
        mark="excluded",
        at=AT,
    )
    number = resigned(open_game, bob)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    assert not Note.objects.exists()
    seat = open_game.seats.get(number=number)
    assert (seat.has_note, seat.has_sheet, seat.suspicions.count()) == (False, False, 0)


def test_what_was_said_stays_the_words_of_who_said_it(
    open_game: Game, alice: Player, bob: Player, mallory: Player
) -> None:
    card = play.write_postcard(open_game, player=bob, text="I like your village.", at=AT)
    number = resigned(open_game, bob)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    play.write_postcard(open_game, player=mallory, text="Hello.", at=LATER)
    open_game.refresh_from_db()
    seen = pov.look(open_game, viewer=mallory)
    said = pov.read_talk(open_game, seen, viewer=mallory)
    assert [(one.name, one.is_mine) for one in said] == [("bob", False), ("mallory", True)]
    with pytest.raises(play.NoSuchPostcard):
        play.remove_postcard(open_game, player=mallory, number=card.number)
    play.mute_player(alice, mallory, blocks=False, at=LATER)
    heard = pov.read_talk(open_game, pov.look(open_game, viewer=alice), viewer=alice)
    assert [one.name for one in heard] == ["bob"]
    play.remove_postcard(open_game, player=bob, number=card.number)
    assert Postcard.objects.get(pk=card.pk).state == Postcard.State.REMOVED


def test_mails_name_who_resigned_and_tell_nobody_when_the_seat_is_taken(
    open_game: Game, client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    number = resigned(open_game, bob)
    told = Notice.objects.get(seat__game=open_game, kind=Notice.Kind.RESIGNED, player=alice)
    assert still_true(told)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    told.refresh_from_db()
    assert not still_true(told)
    client.force_login(alice)
    assert "bob has resigned" in text_of(client.get("/mail/"))


def test_it_asks_whoever_has_taken_over_when_a_proposal_is_made_again(
    open_game: Game, alice: Player, bob: Player, mallory: Player
) -> None:
    Seat.objects.filter(player=bob).update(autopiloted=3)
    play.agree_to_abandon(open_game, player=alice, agrees=True, at=LATER)
    Notice.objects.filter(seat__game=open_game, kind=Notice.Kind.PROPOSAL).update(
        state=Notice.State.SENT, sent_at=LATER
    )
    play.take_over(open_game, player=mallory, number=number_of(open_game, bob), at=LATER)
    play.agree_to_abandon(open_game, player=alice, agrees=False, at=LATER)
    play.agree_to_abandon(open_game, player=alice, agrees=True, at=LATER)
    asked = Notice.objects.filter(seat__game=open_game, kind=Notice.Kind.PROPOSAL)
    assert asked.filter(player=mallory).count() == 1


def test_history_says_who_did_what_and_who_took_over(open_game: Game, mallory: Player) -> None:
    mover = seat_to_move(open_game).player
    assert mover is not None
    play_random(open_game, 1)
    number = resigned(open_game, mover)
    play.take_over(open_game, player=mallory, number=number, at=LATER)
    open_game.refresh_from_db()
    seen = pov.look(open_game, viewer=None)
    assert words.describe_moves(seen.moves, seen.seats)[0].startswith(f"{mover.username} moved ")
    assert [words.describe_event(event, seen.seats) for event in seen.events] == [
        f"{mover.username} resigned; a computer player moves on.",
        f"mallory took over the seat of {mover.username}.",
    ]
    assert [(event.kind, event.seat) for event in Event.objects.order_by("pk")] == [
        ("resigned", number),
        ("taken", number),
    ]


def play_to_end(game: Game) -> Game:
    play_out(game, every=5 * HOUR + timedelta(minutes=1))
    game.refresh_from_db()
    assert game.is_over
    return game


def test_a_game_with_a_takeover_counts_for_no_rating(open_game: Game, bob: Player, mallory: Player) -> None:
    play.take_over(open_game, player=mallory, number=resigned(open_game, bob), at=LATER)
    game = play_to_end(open_game)
    assert (game.is_rated, game.rated_at, Rating.objects.count()) == (True, None, 0)
    assert play.recount_ratings().changed == 0


def test_the_deal_is_proved_by_who_sat_there_when_the_cards_were_dealt(
    open_game: Game, bob: Player, mallory: Player
) -> None:
    play.take_over(open_game, player=mallory, number=resigned(open_game, bob), at=LATER)
    game = play_to_end(open_game)
    assert list(pov.verify_archive()) == [[]]
    record = pov.record_of(pov.look(game, viewer=None))
    assert sorted(player["name"] for player in record["players"]) == ["alice", "bob", "carol"]
    number = game.seats.get(player=mallory).number
    assert record["takeovers"] == [{"seat": number, "ply": 0, "name": "mallory"}]


@pytest.mark.parametrize("closes", ["bob", "mallory"])
def test_it_copes_with_accounts_that_are_closed(open_game: Game, bob: Player, mallory: Player, closes: str) -> None:
    play.take_over(open_game, player=mallory, number=resigned(open_game, bob), at=LATER)
    game = play_to_end(open_game)
    name = play.close_account(bob if closes == "bob" else mallory, at=LATER)
    seat = game.seats.get(player=mallory)
    assert (seat.name, seat.name_in_deal) == (("mallory", name) if closes == "bob" else (name, "bob"))
    assert seat.entropy == ("" if closes == "bob" else "words of bob")
    assert FormerHolder.objects.get().name == (name if closes == "bob" else "bob")
    game.deal.refresh_from_db()
    assert bool(game.deal.salts[seat.joined]) is (closes != "bob")
    assert list(pov.verify_archive()) == [[]]


def test_players_have_met_who_sat_there_at_the_same_time(
    open_game: Game, alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    play.take_over(open_game, player=mallory, number=resigned(open_game, bob), at=LATER)
    met = set(Meeting.objects.values_list("first", "second"))
    assert tuple(sorted((bob.pk, mallory.pk))) not in met
    assert tuple(sorted((alice.pk, mallory.pk))) in met
    assert set(count_totals(of=apps).meetings) == met


def test_a_resignation_still_counts_when_somebody_else_has_the_seat(
    open_game: Game, bob: Player, carol: Player, mallory: Player
) -> None:
    """But not what the autopilot did for who stayed away."""
    play.take_over(open_game, player=mallory, number=resigned(open_game, bob), at=LATER)
    Seat.objects.filter(player=carol).update(autopiloted=3)
    play.take_over(open_game, player=make_player("oscar"), number=number_of(open_game, carol), at=LATER)
    play_to_end(open_game)

    def resignations() -> dict[str, tuple[int, int]]:
        return {tally.player.username: (tally.resigned, tally.played) for tally in Tally.objects.all()}

    counted = {"alice": (0, 1), "bob": (1, 0), "mallory": (0, 1), "oscar": (0, 1)}
    assert resignations() == counted
    Tally.objects.all().delete()
    play.recount_totals()
    assert resignations() == counted


def test_a_postcard_that_is_removed_calls_off_the_mail_of_who_has_muted_its_writer(
    open_game: Game, alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    """All that is left to read then is what bob said, who has no seat any more, and whom alice does not hear."""
    play.write_postcard(open_game, player=bob, text="Follow me.", at=AT)
    play.take_over(open_game, player=mallory, number=resigned(open_game, bob), at=LATER)
    last = play.write_postcard(open_game, player=carol, text="Hello.", at=LATER)
    play.mute_player(alice, bob, blocks=False, at=LATER)
    play.remove_postcard(open_game, player=carol, number=last.number)
    owed = Notice.objects.filter(kind=Notice.Kind.POSTCARD, state=Notice.State.DUE)
    assert not owed.filter(player=alice).exists()


def test_each_player_finds_their_own_part_among_their_data(open_game: Game, bob: Player, mallory: Player) -> None:
    play.write_postcard(open_game, player=bob, text="I must go.", at=AT)
    play.take_over(open_game, player=mallory, number=resigned(open_game, bob), at=LATER)
    [row] = pov.former_seats(bob)
    assert (row["seat"]["name"], row["seat"]["has_resigned"]) == ("bob", True)
    assert [card["text"] for card in row["postcards"]] == ["I must go."]
    assert [event["kind"] for event in row["events"]] == ["resigned"]
    assert pov.own_games(bob) == []
    [own] = pov.own_games(mallory)
    assert "words of bob" not in str(own)
    assert (own["postcards"], [event["kind"] for event in own["events"]]) == ([], ["taken"])
    assert pov.former_seats(mallory) == []
