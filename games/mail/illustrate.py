"""The pictures in a mail: the board as it is, with an arrow for each move since the reader's last, and as it was.

They go inside the mail: nobody learns when it is read, and nothing is missing when it is read on a train. Each is drawn
once for a table, its edition and ply, whoever reads it, and cached as a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.mime.image import MIMEImage
from functools import partial
from typing import Final

from django.conf import settings

from games import rules, words
from games.drawing import initials, play_sample, png
from games.models import Game
from games.pov import Pov, look

_NAME: Final = re.compile(
    r"(?P<slug>.+)-(?P<edition>\d+)-(?P<since>\d+)-(?P<ply>\d+)-(?P<width>\d+)(?P<white>-white)?\.png", re.ASCII
)

_SAMPLES: Final = ("sample.png", "sample-white.png")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a template sees it: the id of its part of the mail, its size, and its words for
    those who do not see it."""

    cid: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class View:
    """What a picture shows: the game at `ply`, with arrows for the moves from `since` on; no model in it."""

    slug: str
    edition: int
    ply: int
    since: int
    width: int
    white: bool

    @property
    def name(self) -> str:
        return f"{self.slug}-{self.edition}-{self.since}-{self.ply}-{self.width}{'-white' if self.white else ''}.png"

    @property
    def cid(self) -> str:
        return cid_of(self.name)


def cid_of(name: str) -> str:
    """The id by which the HTML part of a mail names the picture of that name."""
    return f"{name}@{settings.MAIL_DOMAIN}"


def as_part(name: str) -> MIMEImage | None:
    """The picture of that name as a part of a mail, drawn if it is not cached, which takes a second; None if the game
    has changed since."""
    try:
        part = MIMEImage(png.cached_picture(name, partial(_draw_again, name)), "png")
    except _Gone:
        return None
    part.add_header("Content-ID", f"<{cid_of(name)}>")
    part.add_header("Content-Disposition", "inline", filename=name)
    return part


class _Gone(Exception):
    """A picture that nobody can draw any more."""


def name_of_sample() -> str:
    """The picture in an invitation, in the colors that are active."""
    return _SAMPLES[words.is_white()]


def _draw_again(name: str) -> bytes:
    if name in _SAMPLES:
        step = play_sample()
        return png.draw_mail_picture(step.position, steps=[step], white=name == _SAMPLES[True])
    parts = _NAME.fullmatch(name)
    game = Game.objects.filter(slug=parts["slug"], edition=parts["edition"]).first() if parts else None
    if parts is None or game is None or game.ply < int(parts["ply"]):
        raise _Gone
    ply, since = int(parts["ply"]), int(parts["since"])
    view = View(game.slug, game.edition, ply, since, int(parts["width"]), bool(parts["white"]))
    return _drawn(view, look(game, viewer=None, ply=ply, at=game.created_at))


def view_of(pov: Pov, *, ply: int | None = None, since: int, width: int) -> View:
    """The game at `ply` (None: that of the Pov), in the colors that are active."""
    return View(pov.slug, pov.edition, pov.ply if ply is None else ply, since, width, words.is_white())


def draw(view: View, pov: Pov) -> bytes:
    """The PNG, from its file if there is one; `pov` is of the view's game and has come at least as far."""
    return png.cached_picture(view.name, partial(_drawn, view, pov))


def _drawn(view: View, pov: Pov) -> bytes:
    steps = [move.step for move in pov.moves[view.since : view.ply]]
    return png.draw_mail_picture(
        _position_at(pov, view.ply),
        steps=steps,
        width=view.width,
        white=view.white,
        initials=initials(seat.name for seat in pov.seats),
    )


def _position_at(pov: Pov, ply: int) -> rules.Position:
    """Raises ValueError for a game that has not started."""
    if pov.opening is None:
        raise ValueError(f"{pov.slug} has not started")
    return pov.moves[ply - 1].step.position if ply else rules.set_up(pov.opening)


def as_seen(view: View, alt: str, *, shown: int) -> Picture:
    """The picture for the template, `shown` so many pixels wide."""
    return Picture(view.cid, alt, shown, round(shown * png.HEIGHT / png.WIDTH))
