"""The picture of the board: everything that stands there, once, where the map keeps room for it."""

import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import _lru_cache_wrapper, partial
from itertools import combinations, product

import pytest
from django.templatetags.static import static
from lxml import etree  # type: ignore[import-untyped]

from games import rules
from games.drawing import BoardLink, draw_board, draw_hut, draw_part, initials
from games.drawing.counters import pile_up
from games.drawing.huts import DIGIT, draw_group, is_crowded
from games.drawing.outlines import WIDTH as WIDTH_OF_MAP, outlines_of
from games.drawing.svg import MARGIN, Box, draw_stack, draw_village
from tools.mapgen import ground

SVG = "{http://www.w3.org/2000/svg}"
SHEET = outlines_of(rules.STANDARD.board)
BOARD_CSS = (ground.STATIC / "board.css").read_text("utf-8")


def parsed(svg: str) -> etree._Element:
    return etree.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).encode())


def of_class(drawing: etree._Element, name: str) -> list[etree._Element]:
    return [element for element in drawing.iter() if name in str(element.get("class", "")).split()]


def as_seen(svg: str, *, hidden: str) -> etree._Element:
    """What a reader sees of it: on a wide screen no .counters and nothing .close, on a phone nothing .apart."""
    drawing = parsed(svg)
    for name in hidden.split():
        for part in of_class(drawing, name):
            part.getparent().remove(part)
    return drawing


WIDE, PHONE = "counters close", "apart"
everywhere = pytest.mark.parametrize("hidden", [WIDE, PHONE], ids=["wide", "phone"])


def named(land: etree._Element) -> str:
    """The territory whose outline is used."""
    file, name = str(land.get("href")).split("#")
    assert file == static("games/maps/atlas-1/land.svg")
    return name


def played(*, seed: int, plies: int) -> tuple[rules.Position, rules.Step | None]:
    rng = random.Random(seed)
    position, step = rules.set_up(rules.random_opening(rng, seats=3)), None
    while not position.over and position.ply < plies:
        step = rules.random_step(position, rng)
        position = step.position
    return position, step


OPENING, _ = played(seed=1, plies=0)
MIDDLE, LAST = played(seed=1, plies=20)
END, _ = played(seed=1, plies=60)


@pytest.mark.parametrize("position", [OPENING, MIDDLE, END], ids=["opening", "middle", "end"])
def test_it_draws_each_territory_once(position: rules.Position) -> None:
    drawing = parsed(draw_board(position, title="board"))
    lands = of_class(drawing, "land")
    assert [named(land) for land in lands] == list(rules.STANDARD.board.names)
    names = [text.text for group in of_class(drawing, "names") for text in group]
    assert names == list(rules.STANDARD.board.names)


@everywhere
@pytest.mark.parametrize("position", [OPENING, MIDDLE, END], ids=["opening", "middle", "end"])
def test_it_draws_as_many_huts_as_there_are(position: rules.Position, hidden: str) -> None:
    drawing = as_seen(draw_board(position, title="board"), hidden=hidden)
    shown: Counter[str] = Counter()
    for group in [*of_class(drawing, "group"), *of_class(drawing, "village")]:
        shown += huts_in(group)
    held: Counter[str] = Counter()
    for name in rules.STANDARD.board.names:
        held.update(dict(zip(rules.CLANS, position.stack(name), strict=True)))
    assert shown == +held


def huts_in(group: etree._Element) -> Counter[str]:
    """Huts by clan: each drawn one counts for itself or for the number that follows it."""
    huts: Counter[str] = Counter()
    for hut in (use for use in group.iter(f"{SVG}use") if "#seal-" not in str(use.get("href"))):
        following = hut.getnext()
        count = following.text if following is not None and following.tag == f"{SVG}text" else "1"
        huts[str(hut.get("href")).split("-")[1]] += int(count or 0)
    return huts


def test_it_marks_empty_land_and_only_that() -> None:
    drawing = parsed(draw_board(MIDDLE, title="board"))
    founded = {village.territory for village in MIDDLE.villages}
    empty = {name for name in rules.STANDARD.board.names if not MIDDLE.huts(name)} - founded
    assert {named(land) for land in of_class(drawing, "is-empty")} == empty
    assert empty


@everywhere
def test_it_shows_value_and_founder_of_each_village(hidden: str) -> None:
    drawing = as_seen(draw_board(END, title="board"), hidden=hidden)
    values = [int(text.text or "") for group in of_class(drawing, "value") for text in group.iter(f"{SVG}text")]
    assert sorted(values) == sorted(village.value for village in END.villages)
    founders = [str(use.get("href")) for group in of_class(drawing, "founder") for use in group.iter(f"{SVG}use")]
    assert sorted(founders) == sorted(f"#seal-{village.founder}" for village in END.villages)
    ruins = [village for village in END.villages if village.doomed or not any(village.after)]
    assert ruins
    assert len(of_class(drawing, "is-ruin")) == len(of_class(drawing, "ruin")) == len(ruins)


def test_each_seal_has_a_sign_of_its_own_and_an_initial() -> None:
    drawing = parsed(draw_board(END, title="board", initials=initials(["alice", "ömer", "<bob"])))
    seals = {str(seal.get("id")): seal for seal in drawing.iter(f"{SVG}g") if str(seal.get("id")).startswith("seal-")}
    letters = [next(seal.iter(f"{SVG}text")).text for seal in seals.values()]
    assert (list(seals), letters) == (["seal-0", "seal-1", "seal-2"], ["A", "Ö", "<"])
    assert len({next(seal.iter(f"{SVG}path")).get("d") for seal in seals.values()}) == 3


@everywhere
def test_it_sets_a_stone_beside_groups_of_7_or_more(hidden: str) -> None:
    heavy = next(position for position in games_of_many() if stones(position))
    drawing = as_seen(draw_board(heavy, title="board"), hidden=hidden)
    assert len(of_class(drawing, "stone")) == stones(heavy)
    assert not of_class(parsed(draw_board(OPENING, title="board")), "stone")


def games_of_many() -> list[rules.Position]:
    return [played(seed=seed, plies=plies)[0] for seed, plies in product(range(20), (20, 26, 32))]


def stones(position: rules.Position) -> int:
    founded = {village.territory for village in position.villages}
    return sum(position.huts(name) >= 7 and name not in founded for name in rules.STANDARD.board.names)


def test_it_makes_every_link_a_link_around_its_territory() -> None:
    moves = rules.legal_moves(MIDDLE)
    links = {move.origin: BoardLink(f"?from={move.origin}&x=1", f'Take "{move.origin}"') for move in moves}
    drawing = parsed(draw_board(MIDDLE, title="board", links=links))
    drawn = list(drawing.iter(f"{SVG}a"))
    assert {link.get("href") for link in drawn} == {link.href for link in links.values()}
    assert {link.get("aria-label") for link in drawn} == {link.label for link in links.values()}
    for link in drawn:
        assert [named(land) for land in of_class(link, "land")] == [link.get("data-territory")]


def test_it_says_what_there_is_where_nothing_can_be_chosen() -> None:
    words: Callable[[rules.Position, str], str] = lambda position, name: f"{name} <{position.huts(name)}>"  # noqa: E731
    drawing = parsed(draw_board(MIDDLE, title="board", describe=words))
    titles = [title.text for title in drawing.iter(f"{SVG}title")]
    assert titles == [words(MIDDLE, name) for name in rules.STANDARD.board.names]


@pytest.mark.parametrize("position", [OPENING, MIDDLE, END], ids=["opening", "middle", "end"])
def test_it_reads_no_bare_numbers_and_letters_to_those_who_listen(position: rules.Position) -> None:
    seals = initials(["alice", "bob", "carol"])
    drawing = parsed(draw_board(position, title="board", last=LAST, steps=[LAST] if LAST else [], initials=seals))
    texts = "//*[local-name() = 'text']"
    assert len(drawing.xpath(texts)) > 60
    assert drawing.xpath(f"{texts}[not(ancestor::*[@aria-hidden = 'true'])]") == []


def test_it_marks_what_can_be_done_and_what_was_done() -> None:
    assert LAST
    drawing = parsed(
        draw_board(
            MIDDLE, title="board", last=LAST, chosen="A1", targets=("A2", "B1"), origins=("C1",), founding=("D1",)
        )
    )
    for mark, count in {"chosen": 1, "target": 2, "origin": 1, "founding": 1}.items():
        assert len(of_class(drawing, f"mark-{mark}")) == count
    assert len(of_class(drawing, "last-move")) == 1
    assert len(of_class(drawing, "footprint")) == 1
    assert not of_class(parsed(draw_board(MIDDLE, title="board")), "last-move")


def test_it_numbers_several_moves_at_the_places_that_they_emptied() -> None:
    steps = rules.random_game(rules.random_opening(random.Random(1), seats=3), random.Random(1))[:12]
    drawing = parsed(draw_board(steps[-1].position, title="board", last=steps[-1], steps=steps))
    drawn = of_class(drawing, "last-move")
    assert [text.text for arrow in drawn for text in arrow.iter(f"{SVG}text")] == [str(ply) for ply in range(1, 13)]
    places = [SHEET.territories[step.move.origin].huts for step in steps]
    assert [arrow[-1].get("transform") for arrow in drawn] == [f"translate({x} {y})" for x, y in places]
    assert not of_class(drawing, "footprint")


@pytest.mark.parametrize("position", [OPENING, MIDDLE, END], ids=["opening", "middle", "end"])
def test_it_carries_no_style_or_script_and_stays_small(position: rules.Position) -> None:
    links = {name: BoardLink(f"?from={name}#board", f"{name}: 3 huts") for name in rules.STANDARD.board.names}
    svg = draw_board(position, title='"<board>"', links=links)
    assert parsed(svg).get("aria-label") == '"<board>"'
    assert not re.search(r"<style|<script| style=| on[a-z]+=", svg)
    assert len(svg.encode()) < 30_000


NARROWEST = min(land.radius for land in SHEET.territories.values())


@pytest.mark.parametrize(
    "counts",
    [
        *((12, 12, 12, 12, 12), (10, 1, 1, 1, 1), (0, 11, 0, 9, 2), (1, 1, 1, 1, 1), (7, 0, 0, 0, 0)),
        *((2, 1, 1, 1, 1), (2, 0, 2, 1, 1)),
    ],
)
def test_it_finds_room_for_any_group_in_the_narrowest_place(counts: tuple[int, ...]) -> None:
    """Huts and numbers lie in the disc that the map keeps free."""
    group, scale = drawn_group(counts, NARROWEST)
    assert huts_in(group) == +Counter(dict(zip(rules.CLANS, counts, strict=True)))
    for hut in (use for use in group.iter(f"{SVG}use") if "#seal-" not in str(use.get("href"))):
        left, top = float(str(hut.get("x"))), float(str(hut.get("y")))
        corners = ((left + aside, top + below) for aside, below in ((12, 2.6), (2, 15), (22, 15), (5, 21), (19, 21)))
        assert all(scale * (x * x + y * y) ** 0.5 <= NARROWEST for x, y in corners)
    for text in of_class(group, "count"):
        right = float(str(text.get("x"))) + DIGIT * len(text.text or "")
        assert scale * (right**2 + (float(str(text.get("y"))) - 9) ** 2) ** 0.5 <= NARROWEST


@pytest.mark.parametrize("counts", [(1, 1, 2, 1, 1), (3, 1, 0, 1, 1), (0, 2, 1, 1, 2)])
def test_it_draws_six_huts_of_many_clans_one_by_one(counts: tuple[int, ...]) -> None:
    """With a count beside each they would be smaller than those of any other group; a phone has counters for them."""
    group, scale = drawn_group(counts, NARROWEST)
    assert len(list(group.iter(f"{SVG}use"))) == 6
    assert not of_class(group, "count")
    assert scale > 0.9
    assert is_crowded(counts, NARROWEST)


def drawn_group(counts: tuple[int, ...], radius: float) -> tuple[etree._Element, float]:
    """A group and how much larger it is drawn than a hut's own size."""
    drawn = draw_group(counts, 0, 0, radius)
    scale = re.search(r"scale\(([\d.]+)\)", drawn)
    assert scale
    return parsed(f"<svg >{drawn}</svg>"), float(scale[1])


SMALL = 360 / (WIDTH_OF_MAP + 2 * MARGIN)
"""Pixels of a small phone for a unit of the sheet."""
GROUPS = [(12, 0, 0, 0, 0), (12, 12, 0, 0, 0), (6, 0, 3, 0, 0), (2, 3, 2, 0, 0), (0, 12, 10, 0, 11), (2, 3, 2, 2, 0)]
GROUPS += [(12, 12, 12, 12, 0), (3, 2, 2, 2, 2), (12, 12, 12, 12, 12)]
LEGIBLE = 9.5


@pytest.mark.parametrize("counts", GROUPS)
def test_it_writes_counts_that_can_be_read_on_a_phone(counts: rules.Counts) -> None:
    """In every place, within a village too, where there is less room."""
    count, counter = (font_size(part) for part in ("count", "counters"))
    for radius in {land.radius for land in SHEET.territories.values()}:
        for room in (radius, round(radius * 0.86)):
            crowded = is_crowded(counts, room)
            size = counter * pile_up(counts, room).scale if crowded else count * drawn_group(counts, room)[1]
            assert size * SMALL >= LEGIBLE


def font_size(part: str) -> int:
    """Of text in that part of the board on a phone, in units of the sheet."""
    return int(re.findall(rf"\.{part} \{{[^}}]*font-size: (\d+)px", BOARD_CSS)[-1])


def test_it_draws_huts_on_a_phone_that_can_be_told_apart() -> None:
    assert drawn_group((1, 1, 1, 1, 1), NARROWEST)[1] * 24 * SMALL >= 7


@pytest.mark.parametrize("counts", GROUPS)
def test_it_lays_no_counter_on_another(counts: rules.Counts) -> None:
    pile = pile_up(counts, NARROWEST)
    assert [held for held, _spot in pile.placed] == [pair for pair in zip(rules.CLANS, counts, strict=True) if pair[1]]
    for one, other in combinations(pile.boxes(0, 0), 2):
        assert gap(one, other) >= 2


@pytest.mark.parametrize("huts", ["rrbbgg", "rrbbggyy", "rrbbggyykk", "rrrbbbggyykkk"])
def test_it_covers_no_counter_with_value_or_founder_of_a_village(huts: str) -> None:
    piled = 0
    for territory, land in SHEET.territories.items():
        village = rules.Position.parse(f"seats=2 villages={territory}:1:{huts}").villages[0]
        drawing = as_seen(f"<svg >{draw_village(SHEET, village)}</svg>", hidden=PHONE)
        pile = list(pile_up(village.after, round(land.radius * 0.86)).boxes(*land.huts)) if any(village.after) else []
        piled += len(of_class(drawing, "counters"))
        for mark, reach in {"value": (20, 12), "founder": (11, 11)}.items():
            (spot,) = (place_of(group) for group in of_class(drawing, mark))
            assert village.doomed or all(gap((spot, reach), box) >= 0 for box in pile), territory
    assert piled == 45


def gap(one: Box, other: Box) -> float:
    """How far two boxes are apart, each a middle and how far it reaches aside and above."""
    ((x, y), (wide, high)), ((to_x, to_y), (to_wide, to_high)) = one, other
    return max(abs(to_x - x) - wide - to_wide, abs(to_y - y) - high - to_high)


def test_it_covers_no_name_with_value_or_founder_of_a_village() -> None:
    for territory in rules.STANDARD.board.names:
        spots = [spot for mark in ("value", "founder") for spot in places_of(territory, mark)]
        assert len(spots) == 2
        for (x, y), reach in zip(spots, (20, 11), strict=True):
            for name, land in SHEET.territories.items():
                is_clear = abs(land.label[0] - x) >= reach + 11 or abs(land.label[1] - y) >= 11 + 7
                assert is_clear, f"village in {territory} covers {name}"


def places_of(territory: str, mark: str) -> list[tuple[int, int]]:
    """Where the value or the founder of a village there is drawn."""
    village = rules.Position.parse(f"seats=2 villages={territory}:1:rb").villages[0]
    drawing = parsed(f"<svg >{draw_village(SHEET, village)}</svg>")
    return [place_of(group) for group in of_class(drawing, mark)]


def place_of(group: etree._Element) -> tuple[int, int]:
    x, y = re.findall(r"-?\d+", str(group.get("transform")))
    return int(x), int(y)


def test_it_draws_small_pictures_of_some_land() -> None:
    shown = ("C4", "C5")
    part = parsed(draw_part(OPENING, shown, title="two"))
    assert [text.text for group in of_class(part, "names") for text in group] == list(shown)
    assert len(of_class(part, "group")) == 2
    assert len(of_class(part, "land")) < 30


def test_it_draws_a_hut_beside_text_that_is_no_word_itself() -> None:
    for clan in rules.CLANS:
        assert f"hut-{clan}" in draw_hut(clan)
        assert 'aria-hidden="true"' in draw_hut(clan)


def test_it_draws_what_no_move_changes_from_the_map_as_committed() -> None:
    drawn = ground.draw_all(ground.read_shapes())
    folder = ground.MAPS / "atlas-1"
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == drawn
    lands = etree.fromstring((folder / "land.svg").read_bytes())
    assert {land.get("id") for land in lands} == set(rules.STANDARD.board.names)


def test_it_draws_a_board_in_a_third_of_the_time_that_the_first_one_takes() -> None:
    """What no move changes is made once."""
    boards = [played(seed=seed, plies=24)[0] for seed in range(8)]
    rooms = [module for name, module in sys.modules.items() if name.startswith("games.drawing")]
    caches = [each for room in rooms for each in vars(room).values() if isinstance(each, _lru_cache_wrapper)]

    def draw(*, first: bool) -> None:
        for position in boards:
            for cached in caches if first else ():
                cached.cache_clear()
            draw_board(position, title="board")

    assert _cost(partial(draw, first=False)) < _cost(partial(draw, first=True)) / 3


def _cost(work: Callable[[], object]) -> float:
    """The least CPU time of a few runs."""
    costs = []
    for _run in range(7):
        start = time.process_time()
        work()
        costs.append(time.process_time() - start)
    return min(costs)


SUMMED = [(2, 2, 2, 2, 2), (5, 0, 0, 0, 1), (0, 4, 0, 3, 0), (1, 1, 1, 12, 1), (3, 2, 1, 1, 1), (1, 1, 2, 1, 2)]
SUMMED += [(2, 0, 2, 3, 1), (2, 2, 2, 0, 0), (12, 12, 1, 1, 1)]


@pytest.mark.parametrize("counts", SUMMED)
def test_it_sums_up_a_counted_group(counts: rules.Counts) -> None:
    """Once, for wide screens and phones."""
    for name in rules.STANDARD.board.names:
        drawn = parsed(f"<svg >{draw_stack(rules.STANDARD, name, counts)}</svg>")
        sums = [text.text for text in drawn.iter(f"{SVG}text") if (text.text or "").startswith("=")]
        assert sums == [f"={sum(counts)}"]


@pytest.mark.parametrize("counts", [(1, 1, 1, 1, 1), (9, 0, 0, 0, 0)])
def test_it_sums_up_nothing_that_is_seen_at_once(counts: rules.Counts) -> None:
    assert "=" not in "".join(parsed(draw_stack(rules.STANDARD, "C4", counts)).itertext())
