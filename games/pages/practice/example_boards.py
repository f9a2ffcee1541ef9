"""The examples of the rules page: small boards on which the worked examples (rules 8) are played, by links alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules, words
from games.caching import cached
from games.drawing import BoardLink, draw_mini
from games.pages.practice import examples
from games.pages.practice.examples import Example
from games.pages.table.choices import OrderLine, order_lines
from games.pages.table.draft import Draft, read_draft
from games.pov import SeatPov

MAKERS: Mapping[str, Callable[[], Example]] = {
    "two-ways": examples.two_ways,
    "standing-stones": examples.standing_stones,
    "walking-away": examples.walking_away,
    "mixed-village": examples.mixed_village,
    "village-in-strife": examples.village_in_strife,
    "favored-village": examples.favored_village,
    "doomed-village": examples.doomed_village,
    "two-epochs": examples.two_epochs,
    "twelfth-village": examples.twelfth_village,
}
"""The examples of the rules by the name that they have in addresses."""

HINTS: Mapping[str, Callable[[], Example]] = {
    "telling-village": examples.telling_village,
    "gathered-clan": examples.gathered_clan,
    "fifth-color": examples.fifth_color,
    "village-without-me": examples.village_without_me,
    "terrain-of-the-epoch": examples.terrain_of_the_epoch,
    "one-hut": examples.one_hut,
    "across-epochs": examples.two_epochs,
    "few-neighbors": examples.few_neighbors,
    "last-village": examples.last_village,
}
"""The boards of how to play well, in the order of its hints."""


@dataclass(frozen=True, slots=True)
class Way:
    """A move of the worked example: where it is tried, how it is written, and what comes of it."""

    url: str
    move: str
    outcome: str


@dataclass(frozen=True, slots=True)
class ExampleBoard:
    """A worked example as far as its reader has played it."""

    key: str
    title: str
    scene: str
    again: str
    """The address that puts the huts back."""
    drawing: SafeString
    draft: Draft
    prompt: str
    """What is to be chosen next; empty when the move is played."""
    outcome: tuple[str, ...]
    """What the played move did, and how it was scored."""
    refusal: str
    orders: Sequence[OrderLine]
    """The founding orders to choose from; their `value` is an address here."""
    ways: tuple[Way, ...]


def all_examples(key: str = "", move: str = "") -> dict[str, ExampleBoard]:
    """Every example of the rules by name, with dashes made to underscores; on the one called `key` the `move` has been
    tried."""
    return {example.key.replace("-", "_"): example for example in examples_of(MAKERS, key, move)}


def examples_of(keys: Iterable[str], key: str = "", move: str = "") -> list[ExampleBoard]:
    """The examples of these keys; on the one called `key` the `move` has been tried."""
    return [example_board(name, move) if name == key else _untouched(name) for name in keys]


@cached(most=100)
def _untouched(key: str) -> ExampleBoard:
    return example_board(key, "")


@lru_cache(maxsize=32)
def _example(key: str) -> Example:
    return (MAKERS.get(key) or HINTS[key])()


def example_board(key: str, text: str) -> ExampleBoard:
    """The example called `key` after a reader has tried the move `text`, in notation, or the origin of one."""
    example = _example(key)
    draft = _within(example, read_draft({"move": text}, example.before))
    title, scene = TITLES[key]()
    return ExampleBoard(
        key=key,
        title=title,
        scene=scene,
        again=_url(key),
        drawing=_draw(key, example, draft, title),
        draft=draft,
        prompt=_prompt(example, draft),
        outcome=_outcome(draft.step) if draft.step else (),
        refusal=draft.refusal,
        orders=() if draft.step else order_lines(draft, example.before, value=lambda move: _url(key, str(move))),
        ways=tuple(_ways(key, example)),
    )


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
        return draw_mini(draft.step.position, example.shown, title=title, last=draft.step)
    links = {name: _link(key, name, text, draft) for name, text in _contents(example)}
    return draw_mini(example.before, example.shown, title=title, links=links, marks=dict(_marks(example, draft)))


def _contents(example: Example) -> Iterator[tuple[str, str]]:
    """The territories of the picture with what there is in each."""
    for name in example.shown:
        yield name, words.describe_territory(example.before, name, players())


def _link(key: str, name: str, text: str, draft: Draft) -> BoardLink:
    """Where a territory leads: it is chosen as origin or as target, whether the rules allow it or not."""
    if not draft.origin or draft.orders:
        return BoardLink(_url(key, name), text)
    if name == draft.origin:
        return BoardLink(_url(key), words.say_let_go(text))
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


def _ways(key: str, example: Example) -> Iterator[Way]:
    for step in example.steps:
        yield Way(_url(key, str(step.move)), str(step.move), " ".join(_outcome(step)[1:] or _outcome(step)))


def _two_ways() -> tuple[str, str]:
    example = _example("two-ways")
    center, *around = example.shown
    places = {
        "name": center,
        "neighbors": len(around),
        "empty": words.join_words([name for name in around if not example.before.huts(name)]),
    }
    scene = _("%(name)s has %(neighbors)d neighbors, of which %(empty)s are empty. Where can its huts go?")
    return _("Two ways out of %(name)s") % places, scene % places


def _standing_stones() -> tuple[str, str]:
    example = _example("standing-stones")
    groups = [f"{name}: {example.before.huts(name)}" for name in example.shown if example.before.huts(name)]
    scene = _("Three groups (%(groups)s), and a standing stone beside each of those that have settled. Who can move?")
    return _("Settled groups"), scene % {"groups": ", ".join(groups)}


def _walking_away() -> tuple[str, str]:
    scene = _("Huts in the middle keep two others company. Let them walk away, and see who founds a village.")
    return _("Founded by walking away"), _with_epoch("walking-away", scene)


def _mixed_village() -> tuple[str, str]:
    scene = _("Five huts of three clans. Bring them together in the forest, then try it the other way round.")
    return _("Three clans, one village"), _with_epoch("mixed-village", scene)


def _village_in_strife() -> tuple[str, str]:
    scene = _("Nine huts of all five clans. Bring them together and see who is left.")
    return _("Five clans, two of them left"), _with_epoch("village-in-strife", scene)


def _favored_village() -> tuple[str, str]:
    scene = _("Four huts between steppe and grassland. Where are they worth more?")
    return _("The right place at the right time"), _with_epoch("favored-village", scene)


def _doomed_village() -> tuple[str, str]:
    scene = _("Four huts once more. Doom them, or spare them.")
    return _("A doomed village"), _with_epoch("doomed-village", scene)


def _two_epochs() -> tuple[str, str]:
    scene = _("It is the last chip of its epoch. Let the huts in the middle walk, and two groups stand alone at once.")
    return _("One move, two villages, two epochs"), _with_epoch("two-epochs", scene)


def _twelfth_village() -> tuple[str, str]:
    scene = _("Eleven villages stand. Again the huts in the middle walk, but now there is one chip for two.")
    return _("One chip left for two"), _with_epoch("twelfth-village", scene)


def _telling_village() -> tuple[str, str]:
    scene = _("Play a move that scores. If you saw somebody play it, which two clans could be theirs?")
    return _("Whose village is this?"), _with_epoch("telling-village", scene)


def _gathered_clan() -> tuple[str, str]:
    scene = _("Your card is red. Gather the huts of black: your single hut scores as much as all of theirs.")
    return _("Four against one"), _with_epoch("gathered-clan", scene)


def _fifth_color() -> tuple[str, str]:
    scene = _("Your card is red, with two huts among those of three others. Send the fifth color to them.")
    return _("The fifth color comes"), _with_epoch("fifth-color", scene)


def _village_without_me() -> tuple[str, str]:
    scene = _("Your card is red, and no hut of yours is here. Where do these clans score nothing?")
    return _("Not yours, so not worth a point"), _with_epoch("village-without-me", scene)


def _terrain_of_the_epoch() -> tuple[str, str]:
    scene = _("Your card is red. Move either way: where is the village worth more in this epoch?")
    return _("Which way now?"), _with_epoch("terrain-of-the-epoch", scene)


def _one_hut() -> tuple[str, str]:
    scene = _("Your card is red. Four black huts are about to score: send your single hut to them.")
    return _("A guest who is paid in full"), _with_epoch("one-hut", scene)


def _across_epochs() -> tuple[str, str]:
    scene = _("The last chip of an epoch lies there. Play the move, and compare both orders.")
    return _("Which village comes first?"), _with_epoch("across-epochs", scene)


def _few_neighbors() -> tuple[str, str]:
    example = _example("few-neighbors")
    village = example.steps[0].villages[0].territory
    count = len(example.before.ruleset.board.neighbors_of(village))
    places = {"village": village, "count": count}
    scene = _("%(village)s has only %(count)d neighbors, and huts stand in one of them. Move those away.") % places
    return _("At the edge of the land"), _with_epoch("few-neighbors", scene)


def _last_village() -> tuple[str, str]:
    scene = _("Your card is red. One chip is left, and four black huts stand in no village yet.")
    return _("Before the others arrive"), _with_epoch("last-village", scene)


TITLES = {
    "telling-village": _telling_village,
    "gathered-clan": _gathered_clan,
    "fifth-color": _fifth_color,
    "village-without-me": _village_without_me,
    "terrain-of-the-epoch": _terrain_of_the_epoch,
    "one-hut": _one_hut,
    "across-epochs": _across_epochs,
    "few-neighbors": _few_neighbors,
    "last-village": _last_village,
    "two-ways": _two_ways,
    "standing-stones": _standing_stones,
    "walking-away": _walking_away,
    "mixed-village": _mixed_village,
    "village-in-strife": _village_in_strife,
    "favored-village": _favored_village,
    "doomed-village": _doomed_village,
    "two-epochs": _two_epochs,
    "twelfth-village": _twelfth_village,
}
"""Title and scene of each example."""


def _with_epoch(key: str, scene: str) -> str:
    """The scene, and which epoch the next chip is of."""
    return f"{scene} {words.say_next_chip(_example(key).before)}"


def players() -> list[SeatPov]:
    """Who plays in the examples: the reader and two others."""
    return [SeatPov(number, name) for number, name in enumerate((_("you"), "bob", "carol"))]
