"""The viewpoints of a replay: all revealed, as the public saw the game, or as one seat saw it."""

from __future__ import annotations

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.drawing import draw_seal
from games.models import Game
from games.pages.access import ply_url
from games.pages.table.notebook import sheet_at
from games.pages.table.side import clan_drawn
from games.pov import Pov, SeatPov

PUBLIC = "public/"


def of_seat(number: int) -> str:
    """The end of the addresses of what seat `number` (from 0) saw; there seats are numbered from 1."""
    return f"seat/{number + 1}/"


def list_viewpoints(pov: Pov, *, chosen: str = "") -> list[dict[str, object]]:
    """The viewpoints of a game that is over, at the ply that is shown, with its seal if it is a seat's; `chosen` is the
    end of the address of the one that is shown."""
    ends = [("", _("All revealed"), SafeString()), (PUBLIC, _("The public"), SafeString())]
    ends += [(of_seat(seat.number), seat.name, draw_seal(seat.number)) for seat in pov.seats]
    return [
        {
            "name": name,
            "seal": seal,
            "url": ply_url(pov.slug, pov.ply, end),
            "key": f"seen-{place}",
            "is_chosen": end == chosen,
        }
        for place, (end, name, seal) in enumerate(ends)
    ]


def about_seat(game: Game, pov: Pov, seat: SeatPov) -> dict[str, object]:
    """What `seat` knew at the ply of `pov`, its card and its sheet, and the page's words for it. One query if it has a
    sheet."""
    return {
        "title": _("%(game)s, move %(ply)d, as %(name)s saw it")
        % {"game": pov.name, "ply": pov.ply, "name": seat.name},
        "seen": _("As %(name)s saw it.") % {"name": seat.name},
        "known": {
            "title": _("What %(name)s knew") % {"name": seat.name},
            "card": clan_drawn(seat.clan),
            "sheet": sheet_at(game, pov, seat),
        },
    }


def about_public(pov: Pov) -> dict[str, object]:
    """The page's words for what everybody saw."""
    return {
        "title": _("%(game)s, move %(ply)d, as the public saw it") % {"game": pov.name, "ply": pov.ply},
        "seen": _("As the public saw it."),
    }
