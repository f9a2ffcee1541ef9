"""The pictures in a mail: the board as it is, with an arrow for each move since the reader's last, and as it was.

They go inside the mail: nobody learns when it is read, and nothing is missing when it is read on a train. Each is drawn
once for a table, its edition and ply, whoever reads it, and cached as a file.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from email.mime.image import MIMEImage
from functools import partial
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from games import rules, words
from games.drawing import initials, play_sample, png
from games.mail.kinds import BoardPicture
from games.models import Game
from games.pov import Pov, look

logger = logging.getLogger(__name__)

_NAME: Final = re.compile(
    r"(?P<slug>.+)-(?P<edition>\d+)-(?P<since>\d+)-(?P<ply>\d+)-(?P<width>\d+)(?P<white>-white)?\.png", re.ASCII
)

_SAMPLES: Final = ("sample.png", "sample-white.png")
WIDE, NARROW = 554, 262
"""Pixels that a card has for a picture, and each of its two columns."""


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


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a template sees it: the name of its file, its words for those who do not see it, and how wide it is
    shown; of a game what it shows."""

    name: str
    alt: str
    width: int
    view: View | None = None

    @property
    def cid(self) -> str:
        return cid_of(self.name)

    @property
    def height(self) -> int:
        return round(self.width * png.HEIGHT / png.WIDTH)


def show_board(pov: Pov, *, since: int, board: BoardPicture, told: Sequence[str]) -> tuple[Picture, Picture | None]:
    """The board as it is, with the moves from ply `since` on, which are `told` in words; and as it was before them,
    where that is shown, too. In the colors that are active; nothing is drawn yet."""
    is_large = board is not BoardPicture.SMALL
    view = View(pov.slug, pov.edition, pov.ply, since, png.LARGE if is_large else png.SMALL, words.is_white())
    now = Picture(view.name, _say_now(pov, told), WIDE if is_large else NARROW, view)
    if board is not BoardPicture.LARGE_WITH_BEFORE or pov.ply <= since:
        return now, None
    before = replace(view, ply=since, width=png.SMALL)
    return now, Picture(before.name, _say_before(pov, since), NARROW, before)


def _say_now(pov: Pov, told: Sequence[str]) -> str:
    if not told:
        return _("The board, as it is now.") if pov.ply else _say_opening()
    return _("The board as it is now. %(moves)s") % {"moves": " ".join(told)}


def _say_before(pov: Pov, since: int) -> str:
    if not since:
        return _say_opening()
    return _("The board as you left it, after your move %(move)s.") % {"move": pov.moves[since - 1].step.move}


def _say_opening() -> str:
    return _("The board at the beginning: one hut in each territory.")


def show_sample() -> Picture:
    """The board of no game, for invitations, in the colors that are active."""
    return Picture(_SAMPLES[words.is_white()], _("The board of a game of three, seen from above."), WIDE)


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


class NotDrawn(Exception):
    """Pictures of a mail are not cached yet; `missing` has the Pov of each."""

    def __init__(self, missing: Mapping[View, Pov]) -> None:
        super().__init__(f"{len(missing)} pictures are not drawn yet")
        self.missing = missing

    def draw(self) -> None:
        """Draw them ahead; one that cannot be drawn is for the next attempt to fail over."""
        try:
            draw(self.missing)
        except Exception:
            logger.exception("a picture cannot be drawn")


def draw(views: Mapping[View, Pov], *, may_draw: bool = True) -> dict[str, bytes]:
    """The PNGs by name, from their files as far as there are any; each Pov is of the view's game and has come at least
    as far. Others cost a tenth of a second each, or raise NotDrawn unless it `may_draw`."""
    missing = {view: pov for view, pov in views.items() if not png.is_cached(view.name)}
    if missing and not may_draw:
        raise NotDrawn(missing)
    return {view.name: png.cached_picture(view.name, partial(_drawn, view, pov)) for view, pov in views.items()}


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
