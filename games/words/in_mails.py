"""What mails say of how a game stands beside what pages say, too."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games import rules
from games.pov import SeatPov
from games.words.vocabulary import count_chips, join_words, name_clan, name_epoch, name_terrain


def explain_total(seat: SeatPov) -> str:
    """How a total comes about, once the game is over: `red 12 and 3 chips`; empty before."""
    if not seat.clan:
        return ""
    places = {"clan": name_clan(seat.clan), "score": seat.score, "chips": count_chips(seat.chips)}
    return _("%(clan)s %(score)s and %(chips)s") % places


def say_next_village(position: rules.Position) -> str:
    """What the epoch chart says of the next village (rules 1.5); empty when there is none."""
    if position.epoch is None:
        return ""
    epoch = position.ruleset.version.epochs[position.epoch - 1]
    if position.chips_left == 1:
        template = _("The next village is the twelfth: it is worth %(bonus)d more on any terrain, and the game ends.")
        return template % {"bonus": epoch.bonus}
    template = _(
        "The next village falls into epoch %(epoch)s: it is worth %(bonus)d more in %(favorable)s,"
        " and nothing in %(unfavorable)s."
    )
    return template % {
        "epoch": name_epoch(epoch.number),
        "bonus": epoch.bonus,
        "favorable": join_words([name_terrain(terrain) for terrain in epoch.favorable]),
        "unfavorable": join_words([name_terrain(terrain) for terrain in epoch.unfavorable]),
    }
