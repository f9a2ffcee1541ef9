"""How to play well: what the manuals advise, each with a small board to play it on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.drawing import draw_sprite
from games.pages.practice.example_boards import HINTS, ExampleBoard, example_board, examples_of


@require_safe
def playing_well(request: HttpRequest) -> HttpResponse:
    """The same for everybody; its boards are played as those of the rules are: `?try=one-hut&move=A3-A2`."""
    key, move = request.GET.get("try", ""), request.GET.get("move", "")
    if key in HINTS and "part" in request.GET:
        return render(request, "games/_example.html", {"example": example_board(key, move)})
    about = {"hints": _hints(examples_of(HINTS, key, move)), "sprite": draw_sprite()}
    return render(request, "games/playing_well.html", about)


def _hints(boards: list[ExampleBoard]) -> list[tuple[str, str, ExampleBoard]]:
    """The heading, the advice and the board of each hint."""
    said = [
        (
            _("Guess who holds what"),
            _(
                "Watch what each player founds. A clan that scores again and again by the moves of one player is "
                "theirs, or is meant to look so; one that they doom is hardly theirs. Cross out what cannot be, "
                "and leave others a village that only one of them can want: whoever takes it shows a color."
            ),
        ),
        (
            _("Disperse your huts, gather those of others"),
            _(
                "Every clan in a village scores the same, with one hut or with five. So your huts are worth most when "
                "they stand one by one in many groups, and those of others when they stand all in one."
            ),
        ),
        (
            _("Beware of five colors"),
            _(
                "Where all five clans meet, each clan with a single hut loses it. Stay out of a group in which four "
                "colors stand, unless you have two huts there; and send the fifth color to a group in which others are "
                "alone."
            ),
        ),
        (
            _("Doom villages without you"),
            _(
                "In unfavorable terrain a village scores nothing. Found it there when your clan is not in it: you take "
                "the chip, and nobody takes the points."
            ),
        ),
        (
            _("Mind the epochs"),
            _(
                "Each epoch favors one terrain and dooms another. Count the chips that are left in it: a group that is "
                "worth much now may be worth nothing two villages later."
            ),
        ),
        (
            _("One hut is enough"),
            _("A single hut among many of another clan brings its clan all the points of the village. Send one along."),
        ),
        (
            _("Two villages across epochs"),
            _(
                "A move that founds two villages takes two chips. When the first of them is the last of its epoch, the "
                "order decides which village belongs to the old epoch and which to the new one."
            ),
        ),
        (
            _("Few neighbors, quick villages"),
            _(
                "A territory at the coast or at a lake has few neighbors, so its huts stand alone soon and become a "
                "village early. In the middle huts can still go anywhere."
            ),
        ),
        (
            _("The last village ends it all"),
            _(
                "With the twelfth village the game is over, and huts that stand in no village score nothing. Take the "
                "last chip while the huts of others are still on their way."
            ),
        ),
    ]
    return [(heading, advice, board) for (heading, advice), board in zip(said, boards, strict=True)]
