"""The examples of the rules page: small boards on which the worked examples (rules 8) are played, by links alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_noop

from games import rules, words
from games.caching import cached
from games.drawing import BoardLink, draw_part
from games.pages.practice.examples import (
    Example,
    chips_before,
    one_village,
    standing_stones,
    two_groups,
    two_villages,
    two_ways,
)
from games.pages.table.choices import order_lines
from games.pages.table.draft import Draft, read_draft
from games.pov import SeatPov


def _places_of_two_ways(example: Example) -> dict[str, object]:
    center, *around = example.shown
    empty = words.join_words([name for name in around if not example.before.huts(name)])
    return {"name": center, "neighbors": len(around), "empty": empty}


def _places_of_standing_stones(example: Example) -> dict[str, object]:
    groups = [f"{name}: {example.before.huts(name)}" for name in example.shown if example.before.huts(name)]
    return {"groups": ", ".join(groups)}


def _places_of_few_neighbors(example: Example) -> dict[str, object]:
    village = example.steps[0].villages[0].territory
    return {"village": village, "count": len(example.before.ruleset.board.neighbors_of(village))}


ExampleBoard = dict[str, Any]
"""A worked example as far as its reader has played it."""


class ExampleEntry(NamedTuple):
    """How an example is made, and its title and scene, with `places` that its board fills."""

    make: Callable[[], Example]
    title: str
    scene: str
    has_epoch: bool = True
    """Whether the scene says which epoch the next chip is of, too."""
    places: Callable[[Example], dict[str, object]] = lambda _example: {}


EXAMPLES: Final = {
    "two-ways": ExampleEntry(
        two_ways,
        gettext_noop("Two ways out of %(name)s"),
        gettext_noop("%(name)s has %(neighbors)d neighbors, of which %(empty)s are empty. Where can its huts go?"),
        has_epoch=False,
        places=_places_of_two_ways,
    ),
    "standing-stones": ExampleEntry(
        standing_stones,
        gettext_noop("Settled groups"),
        gettext_noop(
            "Three groups (%(groups)s), and a standing stone beside each of those that have settled. Who can move?"
        ),
        has_epoch=False,
        places=_places_of_standing_stones,
    ),
    "walking-away": ExampleEntry(
        lambda: two_groups(stays="rb", walks="g", waits="ky", company_of="target"),  # rules 4.1
        gettext_noop("Founded by walking away"),
        gettext_noop("Huts in the middle keep two others company. Let them walk away, and see who founds a village."),
    ),
    "mixed-village": ExampleEntry(
        lambda: one_village("forest", walking="bb", waiting="rby"),  # rules 8.1
        gettext_noop("Three clans, one village"),
        gettext_noop("Five huts of three clans. Bring them together in the forest, then try it the other way round."),
    ),
    "village-in-strife": ExampleEntry(
        lambda: one_village("grassland", walking="kkbg", waiting="rrkky"),  # rules 8.2
        gettext_noop("Five clans, two of them left"),
        gettext_noop("Nine huts of all five clans. Bring them together and see who is left."),
    ),
    "favored-village": ExampleEntry(
        lambda: one_village("steppe", walking="rr", waiting="ky", villages=chips_before(3)),  # rules 8.3
        gettext_noop("The right place at the right time"),
        gettext_noop("Four huts between steppe and grassland. Where are they worth more?"),
    ),
    "doomed-village": ExampleEntry(
        lambda: one_village("grassland", walking="gg", waiting="bk", villages=chips_before(2)),  # rules 8.3
        gettext_noop("A doomed village"),
        gettext_noop("Four huts once more. One move founds a village that scores, another one that is doomed."),
    ),
    "two-epochs": ExampleEntry(
        lambda: two_villages(villages=chips_before(3) - 1),  # rules 8.4
        gettext_noop("One move, two villages, two epochs"),
        gettext_noop(
            "It is the last chip of its epoch. Let the huts in the middle walk, and two groups stand alone at once."
        ),
    ),
    "twelfth-village": ExampleEntry(
        lambda: two_villages(villages=rules.CHIPS - 1),  # rules 8.5
        gettext_noop("One chip left for two"),
        gettext_noop("Eleven villages stand. Again the huts in the middle walk, but now there is one chip for two."),
    ),
}
"""The examples of the rules by the name that they have in addresses."""

HINTS: Final = {
    "telling-village": ExampleEntry(
        lambda: one_village("grassland", walking="rr", waiting="bbb"),
        gettext_noop("Whose village is this?"),
        gettext_noop("Play a move that scores. If you saw somebody play it, which two clans could be theirs?"),
    ),
    "gathered-clan": ExampleEntry(
        lambda: one_village("steppe", walking="kk", waiting="kkr"),
        gettext_noop("Four against one"),
        gettext_noop("Your card is red. Gather the huts of black: your single hut scores as much as all of theirs."),
    ),
    "fifth-color": ExampleEntry(
        lambda: one_village("forest", walking="k", waiting="rrbgy"),
        gettext_noop("The fifth color comes"),
        gettext_noop("Your card is red, with two huts among those of three others. Send the fifth color to them."),
    ),
    "village-without-me": ExampleEntry(
        lambda: one_village("grassland", walking="by", waiting="bk", villages=chips_before(2)),  # rules 8.3
        gettext_noop("Not yours, so not worth a point"),
        gettext_noop("Your card is red, and no hut of yours is here. Where do these clans score nothing?"),
    ),
    "terrain-of-the-epoch": ExampleEntry(
        lambda: one_village("grassland", walking="rg", waiting="r", villages=chips_before(4)),
        gettext_noop("Which way now?"),
        gettext_noop("Your card is red. Move either way: where is the village worth more in this epoch?"),
    ),
    "one-hut": ExampleEntry(
        lambda: one_village("mountain", walking="r", waiting="kkkk", villages=chips_before(2)),
        gettext_noop("A guest who is paid in full"),
        gettext_noop("Your card is red. Four black huts are about to score: send your single hut to them."),
    ),
    "across-epochs": ExampleEntry(
        EXAMPLES["two-epochs"].make,
        gettext_noop("Which village comes first?"),
        gettext_noop("The last chip of an epoch lies there. Play the move, and compare both orders."),
    ),
    "few-neighbors": ExampleEntry(
        lambda: two_groups(stays="rg", walks="k", waits="bb", company_of="target", few=True),
        gettext_noop("At the edge of the land"),
        gettext_noop("%(village)s has only %(count)d neighbors, and huts stand in one of them. Move those away."),
        places=_places_of_few_neighbors,
    ),
    "last-village": ExampleEntry(  # rules 6.1
        lambda: two_groups(stays="kkkk", walks="r", waits="rb", company_of="left", villages=rules.CHIPS - 1),
        gettext_noop("Before the others arrive"),
        gettext_noop("Your card is red. One chip is left, and four black huts stand in no village yet."),
    ),
}
"""The boards of how to play well, in the order of its hints."""


def all_examples(key: str, move: str) -> dict[str, ExampleBoard]:
    """Every example of the rules by name, with dashes made to underscores; on the one called `key` the `move` has been
    tried."""
    return {example["key"].replace("-", "_"): example for example in examples_of(EXAMPLES, key, move)}


def examples_of(keys: Iterable[str], key: str, move: str) -> list[ExampleBoard]:
    """The examples of these keys; on the one called `key` the `move` has been tried."""
    return [example_board(name, move) if name == key else _untouched(name) for name in keys]


@cached(most=100)
def _untouched(key: str) -> ExampleBoard:
    return example_board(key, "")


@lru_cache(maxsize=32)
def _example(key: str) -> Example:
    return _entry(key).make()


def _entry(key: str) -> ExampleEntry:
    return EXAMPLES.get(key) or HINTS[key]


def example_board(key: str, text: str) -> ExampleBoard:
    """The example called `key` after a reader has tried the move `text`, in notation, or the origin of one: what is to
    be chosen next (`prompt`, with the addresses of founding `orders`), or what the move did (`outcome`); the address
    that puts the huts back (`again`), and the moves of the worked example (`ways`)."""
    example = _example(key)
    draft = _within(example, read_draft({"move": text}, example.before))
    title, scene = _text_of(key)
    return {
        "key": key,
        "title": title,
        "scene": scene,
        "again": _url(key),
        "drawing": _draw(key, example, draft, title),
        "draft": draft,
        "prompt": _prompt(example, draft),
        "outcome": _outcome(draft.step) if draft.step else (),
        "refusal": draft.refusal,
        "orders": () if draft.step else order_lines(draft, example.before, value=lambda move: _url(key, str(move))),
        "ways": tuple(_ways(key, example)),
    }


def _within(example: Example, draft: Draft) -> Draft:
    """The draft, if it stays inside the picture."""
    outside = [name for name in (draft.origin, draft.target) if name and name not in example.shown]
    if not outside:
        return draft
    return Draft(refusal=_("%(territory)s lies beyond this picture.") % {"territory": outside[0]})


def _url(key: str, move: str = "") -> str:
    return "?" + urlencode({"try": key, "move": move} if move else {"try": key}, safe=",=") + f"#{key}"


# --- The picture ---------------------------------------------------------------------------------


def _draw(key: str, example: Example, draft: Draft, title: str) -> SafeString:
    if draft.step:
        return draw_part(draft.step.position, example.shown, title=title, last=draft.step)
    contents = {name: words.describe_territory(example.before, name, players()) for name in example.shown}
    links = {name: _link(key, name, text, draft) for name, text in contents.items()}
    return draw_part(example.before, example.shown, title=title, links=links, marks=dict(_marks(example, draft)))


def _link(key: str, name: str, text: str, draft: Draft) -> BoardLink:
    """Where a territory leads: it is chosen as origin or as target, whether the rules allow it or not."""
    if not draft.origin or draft.orders:
        return BoardLink(_url(key, name), text)
    if name == draft.origin:
        return BoardLink(_url(key), words.say_cancel(text))
    return BoardLink(_url(key, f"{draft.origin}-{name}"), words.say_to(text))


def _marks(example: Example, draft: Draft) -> Iterator[tuple[str, str]]:
    if draft.origin:
        yield draft.origin, "chosen"
    for step in draft.targets:
        if step.move.target in example.shown:
            yield step.move.target, "target"
    for name in draft.isolated:
        yield name, "founding"


# --- The words -----------------------------------------------------------------------------------


def _prompt(example: Example, draft: Draft) -> str:
    if draft.step:
        return ""
    if draft.orders:
        return words.say_order_matters(draft.isolated, chips_left=example.before.chips_left)
    if not draft.origin:
        return _("Choose the huts that you would move.")
    return _("Where do the huts of %(origin)s go?") % {"origin": draft.origin}


def _outcome(step: rules.Step) -> tuple[str, ...]:
    """What a step does, and how each village is scored."""
    return (words.describe_plan(step), *(words.explain_village(village, players()) for village in step.villages))


def _ways(key: str, example: Example) -> Iterator[dict[str, str]]:
    """The moves of the worked example: where each is tried, how it is written, and what comes of it."""
    for step in example.steps:
        outcome = " ".join(_outcome(step)[1:] or _outcome(step))
        yield {"url": _url(key, str(step.move)), "move": str(step.move), "outcome": outcome}


def _text_of(key: str) -> tuple[str, str]:
    """Title and scene of an example."""
    entry, example = _entry(key), _example(key)
    places = entry.places(example)
    title, scene = _(entry.title) % places, _(entry.scene) % places
    return title, f"{scene} {words.say_next_chip(example.before)}" if entry.has_epoch else scene


def players() -> list[SeatPov]:
    """Who plays in the examples: the reader and two others."""
    return [SeatPov(number, name) for number, name in enumerate((_("you"), "bob", "carol"))]
