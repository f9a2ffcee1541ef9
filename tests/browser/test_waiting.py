"""Waiting at a table in a real browser: what others do shows itself, and what one is doing stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games import play, rules
from games.models import Game, Player, Series
from tests.browser.hotseat import PHONE, WIDE, Hotseat, at_the_database, huts_at
from tests.cast import make_game, make_table, play_out
from tests.pages.helpers import next_move, play_next, table_url

pytestmark = pytest.mark.timeout(300)

NOTICED = 20_000
"""So many milliseconds a page pauses at most before it asks whether somebody else has done something."""
WATCH = """
window.walks = [];
window.pauses = [];
const start = setTimeout;
window.setTimeout = (does, after, ...more) => {
  window.pauses.push(after ?? 0);
  return start(does, after, ...more);
};
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.walks.push([this.getAttribute("class"), options.duration + (options.delay ?? 0)]);
  return animate.call(this, frames, options);
};
"""

Found = TypeVar("Found")


class Scene:
    """A game of alice and bob, of whom one is to move and one waits, both at its page."""

    def __init__(self, two: Hotseat) -> None:
        self.two = two
        for seat in two.seats:
            seat.page.goto("about:blank")
            seat.trouble.clear()
        self.game, self.move, names = self.do(set_game)
        moves, self.waits = sorted(names, key=self._waits)
        self.mover, self.waiter = (two.seats[names.index(name)].page for name in (moves, self.waits))
        for page in (self.mover, self.waiter):
            page.emulate_media(reduced_motion="no-preference")
            self.go(page)

    def _waits(self, name: str) -> bool:
        return self.do(lambda: not Game.objects.filter(pk=self.game.pk, awaited__username=name).exists())

    def do(self, does: Callable[[], Found]) -> Found:
        """What `does` answers at the site's database."""
        return at_the_database(self.two.site, self.two.unblock, does)

    def go(self, page: Page, query: str = "") -> None:
        page.goto(self.two.site.url + table_url(self.game) + query)

    def draft(self, move: rules.Move | None = None) -> None:
        """Let the mover think about a move."""
        move = move or self.move
        self.go(self.mover, f"?from={move.origin}&to={move.target}")

    def trouble(self) -> list[str]:
        """What the browsers complain of."""
        return [complaint for seat in self.two.seats for complaint in seat.trouble]


@pytest.fixture(scope="module")
def two(two: Hotseat) -> Hotseat:
    """Their browsers note what is set in motion."""
    for seat in two.seats:
        seat.page.set_default_timeout(30_000)
        seat.page.add_init_script(WATCH)
    return two


@pytest.fixture
def scene(two: Hotseat) -> Scene:
    return Scene(two)


def set_game() -> tuple[Game, rules.Move, list[str]]:
    """A new game, the only one that there is, its next move, and who sits at which browser."""
    first = Game.objects.order_by("pk")[0]
    names = [seat.name for seat in first.seats.order_by("number")] if first.huts else []
    Game.objects.exclude(pk=first.pk).delete()
    Player.objects.exclude(username__in=names).delete()
    Player.objects.update(goes_on=False, sees_motion=True)
    Game.objects.update(awaited=None)
    game = make_game(*Player.objects.order_by("username"), at=timezone.now())
    return game, next_move(game), names


def look_up(page: Page) -> None:
    """Ask now, as when the page comes into sight again."""
    page.evaluate("dispatchEvent(new Event('online'))")


def confirm(page: Page, move: rules.Move) -> None:
    page.get_by_role("button", name=f"Move {move}").locator("visible=true").first.click()


def play_founding(game: Game) -> None:
    """Play on until a move founds a village."""
    while True:
        game.refresh_from_db()
        position = game.position()
        moves = [move for move in rules.legal_moves(position) if not rules.founding_orders(position, move)]
        step = max((rules.play(position, move) for move in moves), key=lambda step: len(step.villages))
        seat = game.seats.get(number=game.to_move)
        play.play_move(game, seat=seat, move=step.move, ply=game.ply, key=f"test-{game.ply}", at=timezone.now())
        if step.villages:
            return


def write(game: Game, words: str) -> None:
    """Let who is to move write to the other."""
    game.refresh_from_db()
    assert game.awaited is not None
    play.write_postcard(game, player=game.awaited, text=words, at=timezone.now())


def test_each_sees_the_others_move_without_reloading(scene: Scene) -> None:
    mover, waiter, move = scene.mover, scene.waiter, scene.move
    mover.emulate_media(reduced_motion="reduce")
    for page in (mover, waiter):
        page.evaluate("window.same = true")
        assert max(page.evaluate("window.pauses")) <= NOTICED
    expect(mover).to_have_title(re.compile(r"^\(1\) "))
    expect(waiter).to_have_title(re.compile(r"^Friday table"))

    scene.do(lambda: play_next(scene.game, at=timezone.now()))
    expect(waiter.locator("#turn")).to_have_text("It is your move.")
    expect(waiter).to_have_title(re.compile(r"^\(1\) "))
    expect(waiter.get_by_role("navigation", name="Site")).to_contain_text("(1 waits for you)")
    expect(waiter.locator("body > [role=status]")).to_have_text(
        re.compile(rf"moved {move.origin} to {move.target}\. It is your move\.$")
    )
    walks = waiter.evaluate("window.walks")
    assert [kind for kind, _time in walks] == ["group", "group"]
    assert all(time < 400 for _kind, time in walks)

    expect(mover).to_have_title(re.compile(r"^Friday table"))
    expect(mover.locator("#turn")).to_have_text(re.compile(r"^It is (alice|bob)’s move\.$"))
    assert mover.evaluate("window.walks") == []
    assert [page.evaluate("window.same") for page in (mover, waiter)] == [True, True]
    assert scene.trouble() == []


def test_a_move_is_read_out_once_and_then_the_answer_to_it(scene: Scene) -> None:
    """The focus goes to whose turn it is, which a screen reader reads by that; what was played is said beside it."""
    page, says = scene.mover, scene.mover.locator("body > [role=status]")
    scene.draft()
    page.get_by_role("button", name=f"Move {scene.move}").locator("visible=true").press("Enter")
    expect(says).to_contain_text(f"moved {scene.move.origin} to {scene.move.target}.")
    expect(page.locator("#turn")).to_be_focused()

    scene.do(lambda: play_next(scene.game, at=timezone.now()))
    look_up(page)
    expect(page.locator("#turn")).to_have_text("It is your move.")
    expect(page.locator("#turn")).to_be_focused()
    expect(says).to_have_text(re.compile(r"moved \w\d to \w\d\.$"))


def test_a_postcard_is_read_out_and_no_move_with_it(scene: Scene) -> None:
    says = scene.waiter.locator("body > [role=status]")
    for words in ("Who brings tea?", "And who brings cake?"):
        scene.do(partial(write, scene.game, words))
        look_up(scene.waiter)
        expect(says).to_have_text(re.compile(rf"^(alice|bob) Postcard, just\snow \(.*\) new {re.escape(words)}$"))
    expect(scene.waiter.locator("#talk summary")).to_have_text(re.compile("^Talk"))
    assert scene.trouble() == []


CONTROLS = """
(where) => [...document.querySelectorAll(`#table :is(${where})`)].filter((one) => one.getClientRects().length)
"""
FOCUSABLE = "a[href], button, input, textarea, summary"


def test_the_focus_stays_at_what_it_was_when_news_come(scene: Scene) -> None:
    """Whoever has the focus at any link, button or field of the page, and not only on the board, goes on there."""
    page = scene.waiter
    scene.do(lambda: [play_next(scene.game, at=timezone.now()) for _move in range(14)])
    scene.go(page)
    page.evaluate("document.querySelectorAll('#table details').forEach((details) => (details.open = true))")
    names = page.evaluate(f"({CONTROLS})('{FOCUSABLE}').map((one) => one.textContent)")
    assert {"Talk", "Earlier moves", "Save the note", "Send"} <= set(names)

    lost = page.evaluate(
        f"""async () => {{
          const controls = () => ({CONTROLS})("{FOCUSABLE}");
          const html = await (await fetch(location.href)).text();
          const lost = [];
          for (const number of controls().keys()) {{
            const one = controls()[number];
            one.focus();
            if (document.activeElement !== one) continue; // Hidden from the eye alone.
            const page = new DOMParser().parseFromString(html, "text/html");
            clans.swap(page, page.getElementById("table"));
            if (document.activeElement !== controls()[number]) lost.push(one.textContent);
          }}
          return lost;
        }}"""
    )
    assert lost == []


def test_the_focus_stays_at_the_talk_when_a_postcard_comes(scene: Scene) -> None:
    page = scene.mover
    page.locator("#talk > summary").focus()
    scene.do(lambda: write(scene.game, "Still there?"))
    look_up(page)

    expect(page.locator("#said")).to_contain_text("Still there?")
    expect(page.locator("#talk > summary")).to_be_focused()


def test_a_refused_move_is_read_out_and_nothing_with_it(scene: Scene) -> None:
    page = scene.mover
    page.locator("#written").fill("zz")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("“zz” is no move.")
    expect(page.locator("#written")).to_be_focused()
    expect(page.locator("body > [role=status]")).to_have_text("")


def test_a_village_closes_and_its_chip_goes_to_the_founder(scene: Scene) -> None:
    scene.do(lambda: play_founding(scene.game))
    look_up(scene.waiter)
    expect(scene.waiter.locator("#board .village")).not_to_have_count(0)
    assert {"palisade", "chip"} <= {kind for kind, _time in scene.waiter.evaluate("window.walks")}
    expect(scene.waiter.locator(".clans-board > .group")).to_have_count(0)


def test_nothing_moves_for_who_does_not_wish_it(scene: Scene) -> None:
    scene.do(lambda: Player.objects.update(sees_motion=False))
    scene.go(scene.waiter)
    scene.do(lambda: play_next(scene.game, at=timezone.now()))
    look_up(scene.waiter)
    expect(scene.waiter.locator("#turn")).to_have_text("It is your move.")
    assert scene.waiter.evaluate("window.walks") == []


def test_a_draft_is_kept_when_something_else_happens(scene: Scene) -> None:
    def agree() -> str:
        other = scene.game.seats.select_related("player").exclude(number=scene.game.to_move)[0].player
        assert other is not None
        play.agree_to_abandon(scene.game, player=other, agrees=True, at=timezone.now())
        return other.username

    scene.draft()
    page, button = scene.mover, scene.mover.get_by_role("button", name=f"Move {scene.move}").locator("visible=true")
    button.focus()
    name = scene.do(agree)
    look_up(page)
    expect(page.locator(".seats")).to_contain_text("wants to abandon the game")
    says = re.compile(rf"^{name} wants to abandon the game, .*\. It is your move\.$")
    expect(page.locator("body > [role=status]")).to_have_text(says)
    expect(button).to_be_visible()
    page.reload()
    expect(button).to_be_visible()
    assert scene.trouble() == []


def test_a_draft_that_cannot_be_played_any_more_says_why(scene: Scene) -> None:
    """As on a second device, after the move has been played on the first and answered."""

    def play_and_answer() -> None:
        for _ply in range(2):
            play_next(scene.game, at=timezone.now())

    scene.draft()
    scene.do(play_and_answer)
    look_up(scene.mover)
    expect(scene.mover.get_by_role("alert")).to_contain_text(scene.move.origin)
    assert scene.trouble() == []


def test_the_draft_of_a_stale_form_stays_in_the_address(scene: Scene) -> None:
    last = scene.do(lambda: rules.legal_moves(scene.game.position())[-1])
    scene.draft(last)
    scene.mover.evaluate("document.querySelector('#move [name=ply]').value = '7'")
    confirm(scene.mover, last)
    expect(scene.mover.get_by_role("alert")).to_contain_text(f"Your draft is kept: {last}.")
    scene.mover.wait_for_url(re.compile(r"from=|move="))
    scene.mover.reload()
    expect(scene.mover.get_by_role("button", name=f"Move {last}").locator("visible=true")).to_be_visible()


def test_it_goes_on_to_the_next_table_after_a_move(scene: Scene) -> None:
    def set_next_table() -> Game:
        Player.objects.update(goes_on=True)
        game = make_game(*Player.objects.order_by("username"), at=timezone.now())
        number = game.seats.get(player=scene.game.awaited).number
        Game.objects.filter(pk=game.pk).update(
            first=number, to_move=number, awaited=scene.game.awaited, huts=scene.game.huts, name="Sunday table"
        )
        return game

    following = scene.do(set_next_table)
    page = scene.mover
    scene.draft()
    page.evaluate("scrollTo(0, 200)")
    confirm(page, scene.move)
    page.wait_for_url(scene.two.site.url + table_url(following))
    expect(page.get_by_role("heading", name="Sunday table")).to_be_visible()
    expect(page.locator(".flashes")).to_contain_text(f"{scene.move} is played at Friday table. Next is Sunday table.")
    expect(page.locator("#move")).to_have_count(0)
    assert page.evaluate("scrollY") == 0
    assert scene.trouble() == []


def look_at_the_board(page: Page, territory: str) -> None:
    """Click and, where there are fingers, tap where nothing can be chosen; the page must stay as it is."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("null") else None)
    address = page.url
    expect(page.locator(".clans-board.has-hands")).to_be_visible()
    page.evaluate("window.same = true; document.getElementById('table').removeAttribute('aria-busy')")
    page.locator("svg.clans-board").scroll_into_view_if_needed()
    page.mouse.click(*huts_at(page, territory))
    if page.evaluate("navigator.maxTouchPoints"):
        page.touchscreen.tap(*huts_at(page, territory))
    expect(page.locator("#table[aria-busy]")).to_have_count(0)
    page.wait_for_timeout(300)
    assert asked == []
    assert (page.url, page.evaluate("window.same")) == (address, True)


def test_a_click_on_the_board_changes_nothing_for_who_waits(scene: Scene) -> None:
    look_at_the_board(scene.waiter, scene.move.origin)
    assert scene.trouble() == []


@pytest.mark.parametrize("device", [WIDE, PHONE], ids=["mouse", "finger"])
def test_a_click_on_the_board_changes_nothing_for_a_visitor(scene: Scene, browser: Browser, device: Any) -> None:
    with browser.new_context(**device) as context:
        page = context.new_page()
        scene.go(page)
        look_at_the_board(page, scene.move.origin)


def test_a_click_on_the_board_changes_nothing_once_the_game_is_over(scene: Scene) -> None:
    def abandon() -> None:
        for seat in scene.game.seats.select_related("player"):
            assert seat.player
            play.agree_to_abandon(scene.game, player=seat.player, agrees=True, at=timezone.now())

    scene.do(abandon)
    for page in (scene.mover, scene.waiter):
        scene.go(page)
        look_at_the_board(page, scene.move.origin)
    assert scene.trouble() == []


def test_an_open_table_shows_who_comes_and_then_the_game(scene: Scene) -> None:
    def open_table() -> Game:
        assert scene.game.awaited
        return make_table(scene.game.awaited, size=3, at=timezone.now())

    def sit_down() -> None:
        carol = Player.objects.create(username="carol", email="carol@example.com")
        play.join_table(opened, player=carol, at=timezone.now())

    opened = scene.do(open_table)
    for page in (scene.mover, scene.waiter):
        page.goto(scene.two.site.url + table_url(opened))
    scene.waiter.get_by_text("Add words of your own").click()
    words = scene.waiter.get_by_label("Your own words")
    words.fill("half a sentence")
    scene.do(sit_down)
    for page in (scene.mover, scene.waiter):
        look_up(page)
        expect(page.locator(".seats")).to_contain_text("carol")
    expect(words).to_have_value("half a sentence")
    expect(scene.mover.get_by_role("button", name="Start now with 2")).to_be_visible()
    scene.waiter.get_by_role("button", name="Sit down").click()
    expect(scene.waiter.locator("svg.clans-board")).to_be_visible()
    look_up(scene.mover)
    expect(scene.mover.locator("svg.clans-board")).to_be_visible()
    assert scene.trouble() == []


def test_the_end_of_a_game_in_a_series_leads_to_the_next_table_once_it_is_open(scene: Scene) -> None:
    def end_first_game() -> int:
        series = Series.objects.create(length=2, state=Series.State.DUE)
        Game.objects.filter(pk=scene.game.pk).update(series=series, series_number=1)
        scene.game.refresh_from_db()
        play_out(scene.game)
        return series.pk

    series = scene.do(end_first_game)
    scene.go(scene.mover)
    says = scene.mover.locator(".since .notice")
    expect(says).to_have_text("The next table is about to be opened.")
    scene.do(lambda: play.open_next_table(series, at=timezone.now()))
    expect(says).to_have_text("The series goes on: to the next table.", timeout=NOTICED)
    expect(scene.mover.locator("#table[data-poll]")).to_have_count(0)
    assert scene.trouble() == []


def write_while_it_begins(scene: Scene, field: str, text: str, *, more: str, button: str) -> None:
    """Let the opener of a table write into a field of its page, and write on after the game has begun. Nothing else but
    the button leads them on to the game."""

    def open_table() -> Game:
        assert scene.game.awaited
        return make_table(scene.game.awaited, size=2, at=timezone.now())

    page = scene.mover
    opened = scene.do(open_table)
    page.goto(scene.two.site.url + table_url(opened))
    page.locator("#talk > summary").click()
    page.locator(field).fill(text)
    methods: list[str] = []
    page.on("request", lambda request: methods.append(request.method) if request.is_navigation_request() else None)
    scene.do(lambda: play.join_table(opened, player=Player.objects.get(username=scene.waits), at=timezone.now()))
    with page.expect_response(lambda response: response.url.startswith(f"{page.url}?")):
        look_up(page)
    page.locator(field).press_sequentially(more)
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.locator("svg.clans-board")).to_be_visible()
    assert methods[0] == "POST"


def test_a_postcard_is_not_lost_when_the_game_begins(scene: Scene) -> None:
    write_while_it_begins(scene, "#say", "Good luck to", more=" both of us!", button="Send")
    expect(scene.mover.locator("#said")).to_contain_text("Good luck to both of us!")


def test_it_says_who_is_not_invited_when_the_game_has_begun(scene: Scene) -> None:
    write_while_it_begins(scene, "#id_to", "dora@exam", more="ple.com", button="Invite")
    refusal = scene.mover.get_by_role("alert")
    expect(refusal).to_have_text("This table is no longer open. dora@example.com is not invited.")
    expect(refusal).to_be_focused()
