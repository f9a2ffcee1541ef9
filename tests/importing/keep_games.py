"""Made `kept.jsonl` once, in an empty database: `python manage.py shell -c "from tests.importing import keep_games"`
after `migrate`. The file stays as it is: it is what a site of that time exported."""

from __future__ import annotations

from datetime import timedelta

from games import play
from tests.cast import AT, make_game, make_player, make_table, play_random

alice, bob, carol, mallory, leaver = map(make_player, ("alice", "bob", "carol", "mallory", "leaver"))

for seed, (people, bots, five_clans) in enumerate(
    [
        ((alice, bob), 0, "score"),
        ((bob, alice), 0, "nothing"),
        ((alice, bob, carol), 0, "score"),
        ((carol, bob, alice), 0, "nothing"),
        ((alice, bob, carol, mallory), 0, "score"),
        ((alice,), 1, "score"),
        ((alice, bob), 2, "nothing"),
        ((bob, leaver), 0, "score"),
    ]
):
    play_random(make_game(*people, bots=bots, five_clans=five_clans, at=AT + timedelta(days=seed)), seed=seed)

for seed, plies in enumerate((0, 11)):
    abandoned = play_random(make_game(alice, carol, at=AT + timedelta(days=10 + seed)), plies, seed=seed)
    for player in (alice, carol):
        play.agree_to_abandon(abandoned, player=player, agrees=True, at=AT + timedelta(days=30 + seed, microseconds=7))

resigned = play_random(make_game(alice, bob, carol, at=AT + timedelta(days=12)), 15, seed=20)
play.resign(resigned, player=bob, at=AT + timedelta(days=14))
play_random(resigned, seed=21)

table = make_table(alice, size=3, terms=play.Terms(allows_takeover=True), at=AT + timedelta(days=13))
for player in (bob, carol):
    play.join_table(table, player=player, entropy=f"words of {player.username}", at=AT + timedelta(days=13))
play_random(table, 12, seed=22)
play.resign(table, player=bob, at=AT + timedelta(days=16))
number = table.seats.get(player=bob).number
assert number is not None
play.take_over(table, player=mallory, number=number, at=AT + timedelta(days=17))
play_random(table, seed=23)

play.close_account(leaver, at=AT + timedelta(days=40))
