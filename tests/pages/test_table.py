"""The page of a game that runs or is over."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games import play, rules
from games.models import Game, Player
from tests.cast import AT, make_game, play_out, play_random
from tests.pages.helpers import (
    game_before_a_choice,
    links,
    next_move,
    play_next,
    seat_of,
    soup,
    table_url,
    text_of,
    to_move,
)


def test_it_tells_the_player_to_move_what_to_do(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    response = client.get(table_url(mid))
    assert "It is your move." in text_of(response, ".prompt")
    assert "Which huts do you move?" in text_of(response, ".prompt")


def test_it_tells_the_others_whom_the_game_waits_for(client: Client, mid: Game, mallory: Player) -> None:
    client.force_login(mallory)
    response = client.get(table_url(mid))
    assert f"It is {to_move(mid)}’s move." in text_of(response, ".prompt")
    assert "Which huts" not in text_of(response)


def test_it_shows_a_running_game_to_visitors(client: Client, mid: Game) -> None:
    response = client.get(table_url(mid))
    assert response.status_code == 200
    assert "Your clan card" not in text_of(response)
    assert not soup(response).select("main form:not([method=dialog])")


def test_it_offers_every_legal_origin_as_a_link(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    origins = {f"?from={move.origin}#ask" for move in rules.legal_moves(mid.position())}
    assert set(links(client.get(table_url(mid)), ".regions")) == origins
    assert len(soup(client.get(table_url(mid))).select(".regions li")) == 60


def test_it_leads_to_the_rules_right_below_the_board(client: Client, mid: Game) -> None:
    for reader in (None, to_move(mid)):
        if reader:
            client.force_login(reader)
        assert "/rules/" in links(client.get(table_url(mid)), ".board")


def test_it_lists_the_keys_of_a_move_to_players_while_the_game_runs(
    client: Client, mid: Game, alice: Player, bob: Player
) -> None:
    assert "Write a move" not in text_of(client.get(table_url(mid)), "#keys")
    for player in (alice, bob):
        client.force_login(player)
        keys = text_of(client.get(table_url(mid)), "#keys")
        assert "Write a move" in keys
        assert "In a replay" not in keys
    play_out(mid)
    assert "Write a move" not in text_of(client.get(table_url(mid)), "#keys")


def test_it_offers_no_moves_to_those_who_are_not_to_move(client: Client, mid: Game, mallory: Player) -> None:
    client.force_login(mallory)
    assert [link for link in links(client.get(table_url(mid)), ".board") if "from=" in link] == []


def test_it_offers_the_targets_of_the_chosen_origin(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    move = next_move(mid)
    response = client.get(table_url(mid), {"from": move.origin})
    targets = [m.target for m in rules.legal_moves(mid.position()) if m.origin == move.origin]
    assert links(response, ".targets") == [f"?from={move.origin}&to={target}#ask" for target in targets]


def test_it_previews_the_chosen_move_and_asks_to_confirm_it(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    move = next_move(mid)
    response = client.get(table_url(mid), {"from": move.origin, "to": move.target})
    form = soup(response).select_one("form#move")
    assert form is not None
    assert form["action"] == table_url(mid, "move/")
    assert f"Move {move}" in form.get_text()
    said = form.select_one(".preview").get_text(strip=True)  # type: ignore[union-attr]
    assert f"Your draft{move.origin}to{move.target}.This founds" in said


def test_it_takes_the_move_in_notation_too(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    move = next_move(mid)
    response = client.get(table_url(mid), {"move": str(move).lower()})
    assert f"Move {move}" in text_of(response, "form#move")


def test_it_says_why_a_written_move_cannot_be_played(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    response = client.get(table_url(mid), {"move": "A1-L5"})
    assert response.status_code == 200
    assert text_of(response, "[role=alert][autofocus]")
    assert soup(response).select_one("form#move") is None


def test_it_asks_for_the_founding_order_with_what_each_scores(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    client.force_login(to_move(game))
    response = client.get(table_url(game), {"from": move.origin, "to": move.target})
    offered = [str(radio["value"]) for radio in soup(response).select("input[name=order]")]
    assert offered == [",".join(order) for order in rules.founding_orders(game.position(), move)]
    assert "point" in text_of(response, "fieldset")


@pytest.mark.parametrize("where", ["", "ply/{ply}/try/"])
def test_it_says_of_a_target_no_founding_order_that_nobody_has_chosen(
    client: Client, alice: Player, bob: Player, carol: Player, where: str
) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    one, two = sorted(rules.founding_orders(game.position(), move)[0])
    client.force_login(to_move(game))
    response = client.get(table_url(game, where.format(ply=game.ply)), {"from": move.origin})
    target = next(link for link in soup(response).select(".targets a") if f"to={move.target}" in str(link["href"]))
    said = f"This founds {one} and {two}. Their order decides which epoch each falls into."
    assert target.get_text().endswith(said)


def test_it_keeps_a_plan_for_the_next_turn_without_a_button(client: Client, mid: Game) -> None:
    waiting = mid.seats.exclude(player=to_move(mid)).first()
    assert waiting is not None
    assert waiting.player is not None
    client.force_login(waiting.player)
    move = next_move(mid)
    response = client.get(table_url(mid), {"from": move.origin, "to": move.target})
    assert "You can confirm it when it is your turn." in text_of(response, ".prompt")
    assert soup(response).select("form#move button") == []


def test_it_shows_my_card_to_me_alone(client: Client, mid: Game, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    assert seat_of(mid, alice).clan in text_of(client.get(table_url(mid)), ".clan-card")
    client.force_login(bob)
    assert text_of(client.get(table_url(mid)), ".clan-card") != f"Your clan card {seat_of(mid, alice).clan}"


def test_it_covers_my_card_when_i_want_it_covered(client: Client, mid: Game, alice: Player) -> None:
    client.force_login(alice)
    assert soup(client.get(table_url(mid))).select("details.clan-card[open]")
    client.cookies["card"] = "covered"
    page = soup(client.get(table_url(mid)))
    assert page.select("details.clan-card")
    assert page.select("details.clan-card[open]") == []


def test_it_keeps_my_card_covered_for_a_year(client: Client, mid: Game, alice: Player) -> None:
    """Safari drops a cookie that a script has set after seven days."""
    client.force_login(alice)
    assert "card" not in client.get(table_url(mid)).cookies
    client.cookies["card"] = "covered"
    kept = client.get(table_url(mid)).cookies["card"]
    assert (kept.value, kept["max-age"], kept["path"], kept["samesite"]) == ("covered", 365 * 24 * 60 * 60, "/", "Lax")


def test_it_tells_the_history_newest_first(client: Client, mid: Game) -> None:
    steps = mid.steps()
    items = soup(client.get(table_url(mid))).select(".history > li")
    assert [link["aria-label"] for link in items[0].select(":scope > a")] == [f"Move {len(steps)}"]
    assert [link["href"] for item in items for link in item.select("a")[:1]] == [
        table_url(mid, f"ply/{ply}/") for ply in range(14, 0, -1)
    ]
    assert f"{steps[-1].move.origin} to {steps[-1].move.target}" in items[0].get_text()


def test_it_shows_chips_scores_and_the_epoch_chart(client: Client, game: Game) -> None:
    while not game.position().villages:
        play_random(game, 1)
    position = game.position()
    response = client.get(table_url(game))
    rows = soup(response).select(".epochs tbody tr")
    left = [len(row.select(".chip:not(.chip-gone)")) for row in rows]
    assert sum(left) == position.chips_left
    present = [bool(row.select_one("th[aria-current=true]")) for row in rows]
    assert present.index(True) == next(number for number, chips in enumerate(left) if chips)
    assert present.count(True) == 1
    assert [int(row.select("td.num")[0].get_text()) for row in soup(response).select(".track tbody tr")] == list(
        position.scores
    )
    chips = [len(seat.select(".chip")) for seat in soup(response).select(".seats .seat")]
    assert chips == list(position.chips)


def test_it_shows_the_result_and_the_cards_at_the_end(client: Client, game: Game) -> None:
    play_out(game)
    response = client.get(table_url(game))
    rows = soup(response).select(".standings tbody tr")
    totals = [int(row.select("td.num")[-1].get_text()) for row in rows]
    assert totals == sorted(totals, reverse=True)
    shown = " ".join(row.get_text(" ") for row in rows)
    for seat in game.seats.all():
        assert seat.name in shown
        assert seat.clan in shown
    assert f"with {totals[0]} points" in text_of(response, ".verdict")
    assert table_url(game, "record.json") in links(response)


@pytest.mark.parametrize("page", ["", "ply/20/", "ply/20/try/"])
def test_it_lists_the_seats_of_a_finished_game_with_chips_and_clans(client: Client, game: Game, page: str) -> None:
    play_out(game)
    position = game.steps()[19].position if page else game.position()
    whole = soup(client.get(table_url(game, page)))
    shown = whole.select(".seats .seat")
    seats = list(game.seats.order_by("number"))
    assert [seat.select(".seat-name")[0].get_text() for seat in shown] == [seat.name for seat in seats]
    assert [len(seat.select(".chip")) for seat in shown] == list(position.chips)
    for seat, row in zip(seats, shown, strict=True):
        assert row.select(f".hut-{seat.clan}")
        [seal] = row.select("svg.seal-mark use")
        assert whole.select(f"{seal['href']} text")[0].get_text() == seat.name[0].upper()


@pytest.mark.parametrize("page", ["", "ply/9/", "ply/9/try/"])
def test_it_lists_the_seats_of_a_running_game_without_clans(
    client: Client, game: Game, alice: Player, page: str
) -> None:
    play_random(game, 9)
    client.force_login(alice)
    shown = soup(client.get(table_url(game, page)))
    assert len(shown.select(".seats .seat svg.seal-mark")) == 3
    assert shown.select(".seats .hut") == []


def test_ranks_are_told_in_words(client: Client, game: Game) -> None:
    """A number in a circle is a move."""
    play_out(game)
    ranks = [rank.get_text() for rank in soup(client.get(table_url(game))).select(".standings tbody em")]
    expected = [("1st", "2nd", "3rd")[seat.rank - 1] for seat in game.seats.order_by("rank", "number") if seat.rank]
    assert ranks == expected


def test_it_sets_the_winner_in_bold_and_says_which_row_is_mine(client: Client, game: Game, alice: Player) -> None:
    play_out(game)
    client.force_login(alice)
    page = soup(client.get(table_url(game)))
    won = {name.get_text().split()[0] for name in page.select(".standings .has-won th")}
    assert won == set(game.seats.filter(rank=1).values_list("name", flat=True))
    assert [name.get_text() for name in page.select(".standings th:has(small)")] == ["alice you"]


def test_it_says_that_the_game_has_begun_before_the_first_move(client: Client, game: Game) -> None:
    assert text_of(client.get(table_url(game)), "[data-news]") == "The game has begun."
    play_random(game, 1)
    assert "The game has begun." not in text_of(client.get(table_url(game)))


def test_it_says_that_nobody_won_an_abandoned_game(
    client: Client, mid: Game, alice: Player, bob: Player, carol: Player
) -> None:
    for player in (alice, bob, carol):
        play.agree_to_abandon(mid, player=player, agrees=True, at=AT)
    response = client.get(table_url(mid))
    assert "Nobody wins." in text_of(response, ".prompt")
    assert "All players agreed to abandon the game." in text_of(response, ".prompt")


@pytest.mark.parametrize("absent", [{"is_bot": True, "resigned_at": AT}, {"autopiloted": 3}])
def test_it_says_that_who_was_left_abandoned_the_game(
    client: Client, mid: Game, alice: Player, bob: Player, carol: Player, absent: dict[str, object]
) -> None:
    mid.seats.filter(player=carol).update(**absent)
    for player in (alice, bob):
        play.agree_to_abandon(mid, player=player, agrees=True, at=AT)
    said = text_of(client.get(table_url(mid)), ".prompt")
    assert "Everybody still playing agreed to abandon the game." in said
    assert "All players" not in said


def test_it_says_that_all_abandoned_a_game_against_the_computer(client: Client, alice: Player) -> None:
    game = make_game(alice, bots=1)
    play.agree_to_abandon(game, player=alice, agrees=True, at=AT)
    assert "All players agreed" in text_of(client.get(table_url(game)), ".prompt")


def test_it_marks_who_resigned(client: Client, mid: Game, bob: Player) -> None:
    play.resign(mid, player=bob, at=AT)
    assert "resigned, a computer player moves" in text_of(client.get(table_url(mid)), ".seats")


def test_it_answers_plainly_that_there_is_no_such_table(client: Client, db: None) -> None:
    assert client.get("/tables/nosuchtable/").status_code == 404


def test_it_needs_few_queries(client: Client, mid: Game, django_assert_max_num_queries: Any) -> None:
    client.force_login(to_move(mid))
    move = next_move(mid)
    for data in ({}, {"from": move.origin}, {"from": move.origin, "to": move.target}):
        with django_assert_max_num_queries(7):
            client.get(table_url(mid), data)


def test_it_needs_no_more_queries_for_a_longer_game(
    client: Client, game: Game, django_assert_max_num_queries: Any, alice: Player
) -> None:
    client.force_login(alice)
    client.get(table_url(game))
    for _more in range(3):
        with django_assert_max_num_queries(6):
            client.get(table_url(game))
        play_random(game, 5)


def test_it_has_no_inline_style_or_script(client: Client, mid: Game) -> None:
    client.force_login(to_move(mid))
    page = soup(client.get(table_url(mid)))
    assert page.select("[style]") == []
    assert page.select("script:not([src]):not([type='application/json'])") == []
    assert [tag for tag in page.select("*") if any(name.startswith("on") for name in tag.attrs)] == []


def test_it_escapes_names(client: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(name="<b>bold</b> & wide")
    game.seats.filter(player=bob).update(name="<i>bob</i>")
    play_random(game, 4)
    content = client.get(table_url(game)).content.decode()
    assert "<b>bold" not in content
    assert "<i>bob" not in content
    assert "&lt;i&gt;bob&lt;/i&gt;" in content


def test_it_leaves_no_card_and_no_note_in_a_cache(client: Client, game: Game, alice: Player) -> None:
    assert not client.get(table_url(game)).has_header("Cache-Control")
    client.force_login(alice)
    assert client.get(table_url(game)).headers["Cache-Control"] == "private, no-store"
    play_out(game)
    assert client.get(table_url(game)).headers["Cache-Control"] == "private, no-store"
    client.logout()
    assert not client.get(table_url(game)).has_header("Cache-Control")


def test_it_says_to_who_waits_what_they_have_played_and_leads_on(client: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    me = to_move(game)
    client.force_login(me)
    assert text_of(client.get(table_url(game)), ".bar-waits") == ""
    move = next_move(game)
    play_next(game)
    page = client.get(table_url(game))
    assert text_of(page, ".bar-waits") == f"Played {move} ."
    Game.objects.filter(pk=make_game(alice, bob).pk).update(awaited=me)
    page = client.get(table_url(game))
    assert text_of(page, ".bar-waits") == f"Played {move} . Next table (1)"
    assert links(page, ".bar-waits") == [f"/next/?after={game.slug}"]


def test_it_lets_who_is_signed_out_sign_in_and_come_back_to_the_draft(client: Client, mid: Game) -> None:
    move = next_move(mid)
    address = f"{table_url(mid)}?from={move.origin}&to={move.target}"
    page = client.get(address)
    assert text_of(page, ".prompt-step") == f"Are you {to_move(mid).username}? Sign in to move"
    [link] = links(page, ".prompt-step")
    form = soup(client.get(link)).select_one("input[name=next]")
    assert form
    assert form["value"] == address
    client.force_login(to_move(mid))
    assert f"Move {move.origin}-{move.target}" in text_of(client.get(address), "#step")


def test_no_link_stands_alone_below_the_board_of_a_game_that_is_over(client: Client, game: Game) -> None:
    """On a phone, where *Keyboard* is hidden, *Rules* did."""
    assert links(client.get(table_url(game)), ".try-out") == [table_url(game, "ply/0/try/"), "/rules/"]
    play_out(game)
    page = client.get(table_url(game))
    assert soup(page).select(".try-out") == []
    files = [table_url(game, "result.png"), table_url(game, "keepsake.html")]
    found = [link["href"] for link in soup(page).select(".since .row a")]
    assert found == [table_url(game, "ply/0/"), *files, "/rules/"]
    assert soup(page).select(".since .row [data-keys]")
