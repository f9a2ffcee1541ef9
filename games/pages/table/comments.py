"""What the players of a game that is over say about its moves: postcards, shown where the move is."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from games import play, pov
from games.models import Game, Player
from games.pages.table.talk import list_postcards, say_readers


@dataclass(frozen=True, slots=True)
class Comments:
    """What was said about a move, as list items, and whether the viewer may say something; `refusal` says why what they
    have `written` was not sent."""

    cards: SafeString
    may_write: bool
    readers: str
    action: str
    refusal: str = ""
    written: str = ""


def comments_of(
    game: Game, seen: pov.Pov, *, viewer: Player | None, refusal: str = "", written: str = ""
) -> Comments | None:
    """What was said about the last move that `seen` shows; None where there is nothing for the viewer. One query, none
    where nothing was said at the table."""
    is_late = play.is_talk_over(seen.status, seen.ended_at, at=timezone.now())
    may_write = seen.me is not None and seen.is_over and seen.ply > 0 and not is_late
    cards = pov.read_comments(game, seen, viewer=viewer)
    if not (cards or may_write):
        return None
    return Comments(
        cards=list_postcards(cards, seen),
        may_write=may_write,
        readers=say_readers(seen),
        action=reverse("comment", args=(seen.slug, seen.ply)),
        refusal=refusal,
        written=written,
    )
