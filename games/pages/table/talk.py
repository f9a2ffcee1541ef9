"""The talk at a table as its pages show it: joined as strings, like the history, because a loop in a template costs
more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple

from django.utils import timezone
from django.utils.html import Urlizer
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext

from games import play, words
from games.caching import cached
from games.drawing import draw_seal
from games.models import Game, Player, Postcard
from games.pages.access import link_player, ply_url, table_url
from games.pages.times import say_when
from games.pov import LATEST, PostcardPov, Pov, read_talk
from games.words.zone import zone_here

State = Postcard.State
MAY_LINK = re.compile(r"(?<!\S)(\S+[.:@]\S+)")
"""A word that contains what every address contains. Most words do not. Giving only these words to Django's Urlizer
saves more than half of the time for links."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The talk beside a board: the last postcards as list items, the last one first, what the history says of them by
    ply, and whether the viewer `may_write`; `title` says how many are new to them."""

    title: str
    readers: str
    cards: SafeString
    has_older: bool
    has_news: bool
    is_open: bool
    may_write: bool
    notes: tuple[tuple[int, datetime, SafeString], ...]
    heard: int
    written: str
    """What the viewer has written, if it was refused."""


def talk_of(game: Game, pov: Pov, *, viewer: Player | None, written: str) -> Talk | None:
    """The talk as `viewer` may read it; None where there is none for them. One query, none where nothing was said."""
    may_write = pov.me is not None and not play.is_talk_over(pov.status, pov.ended_at, at=timezone.now())
    if not (pov.said or may_write):
        return None
    cards = read_talk(game, pov, viewer=viewer)
    drawn = _draw(cards, pov)
    new = sum(card.is_unread and card.state == State.SHOWN for card in cards)
    return Talk(
        title=_say_title(new),
        readers=say_readers(pov),
        cards=_list(cards[::-1], drawn[::-1], pov),
        has_older=len(cards) == LATEST,
        has_news=new > 0,
        is_open=bool(new or written),
        may_write=may_write,
        notes=tuple(
            (card.ply, card.at, one.quoted) for card, one in zip(cards, drawn, strict=True) if card.state == State.SHOWN
        ),
        heard=pov.said,
        written=written,
    )


def _say_title(new: int) -> str:
    return ngettext("Talk (%(count)d new)", "Talk (%(count)d new)", new) % {"count": new} if new else _("Talk")


def say_readers(pov: Pov) -> str:
    """Who reads the talk."""
    if pov.talk == Game.Talk.PLAYERS and _is_alone(pov):
        return _("Only you read it: the others here are computer players.")
    return _READERS[Game.Talk(pov.talk)]()


def _is_alone(pov: Pov) -> bool:
    """Whether only computer players have ever had the other seats. Before the start others may join."""
    others = [seat for seat in pov.seats if not seat.is_mine]
    return pov.position is not None and all(seat.is_bot and not (seat.has_resigned or seat.former) for seat in others)


_READERS = {
    Game.Talk.PLAYERS: lambda: _("Only the players of this table read it."),
    Game.Talk.END: lambda: _("Only the players read it until the game is over; then everybody does."),
    Game.Talk.OPEN: lambda: _("Everybody reads it."),
}


def list_postcards(cards: Sequence[PostcardPov], pov: Pov) -> SafeString:
    """A list item for each; for players, also former ones, the time leads to what can be done with it. A postcard about
    another move than the last one shown links to that move."""
    return _list(cards, _draw(cards, pov), pov)


class Drawn(NamedTuple):
    """A postcard as a list item, before and after its time, and in one line as the history quotes it."""

    before: str
    after: str
    quoted: SafeString


def _draw(cards: Iterable[PostcardPov], pov: Pov) -> list[Drawn]:
    draw, has_seal = _markup.here(), pov.position is not None
    return [draw(card, has_seal=has_seal) for card in cards]


def _list(cards: Sequence[PostcardPov], drawn: Sequence[Drawn], pov: Pov) -> SafeString:
    now, zone, table = datetime.now(UTC), zone_here(), table_url(pov.slug)
    items, may_act = [], pov.is_player
    what = f'<span class="visually-hidden">{escape(_("Postcard,"))} </span>'
    for card, (before, after, _quoted) in zip(cards, drawn, strict=True):
        when = say_when(card.at, now=now, zone=zone)
        shown = f'<a href="{table}talk/{card.number}/">{what}{when}</a>' if may_act else str(when)
        if card.about and card.about != pov.ply:
            shown += f' <a href="{ply_url(pov.slug, card.about)}#comments">{escape(_("Go to the move"))}</a>'
        items.append(f"{before}{shown}{after}")
    return SafeString("".join(items))


@cached(most=4096)
def _markup(card: PostcardPov, *, has_seal: bool) -> Drawn:
    """A postcard as it is drawn. Seats have seals when the order of play is known."""
    marks = ([_("changed")] if card.is_edited else []) + ([_("new")] if card.is_unread else [])
    shown_marks = "".join(f" <small>{escape(mark)}</small>" for mark in marks)
    kind, who = ' class="is-last"' if card.is_unread else "", head_with_link(card)
    seal = draw_seal(card.seat) if has_seal else "<span></span>"
    head = f"<li{kind}>{seal}<p><b>{who}</b> "
    quoted = words.quote_postcard(card, head=who, text=escape(words.one_line(card.text)))
    return Drawn(head, f"{shown_marks} <br>{show_words(card)}</p></li>", SafeString(quoted))


def head_with_link(card: PostcardPov) -> SafeString:
    """Who said it, with a link to their page, and with which move."""
    return SafeString(words.head_postcard(card, name=link_player(card.name, has_page=card.has_page)))


def show_words(card: PostcardPov) -> SafeString:
    """The text of a postcard as markup, with links; or why it has none."""
    if card.state == State.REMOVED:
        return SafeString(f"<em>{escape(_('removed'))}</em>")
    if card.state == State.HIDDEN:
        return SafeString(f"<em>{escape(_('hidden by the operator of this site'))}</em>")
    # What may be a link stands at the odd places.
    parts = [
        _links(part, trim_url_limit=60, autoescape=True) if place % 2 else escape(part)
        for place, part in enumerate(MAY_LINK.split(card.text))
    ]
    return SafeString("".join(parts).replace("\n", " <br>"))


class _Links(Urlizer):
    # Whoever wrote it vouches for it, not this site.
    url_template = '<a href="{href}" rel="nofollow noopener ugc">{url}</a>'


_links = _Links()
