"""The receipt of a mail by which a player has moved, or tried to: what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from games.mail import links
from games.mail.kinds import common
from games.mail.kinds.base import Answers, BoardPicture, Facts, Link, NoticeKind
from games.models import InboundMail, Notice, Seat, TokenTurn, TurnToken
from games.words import receipts
from games.words.how_to_answer import list_requests

Outcome = InboundMail.Outcome


def _results(facts: Facts) -> list[receipts.Result]:
    inbound = _inbound(facts.notice)
    return inbound.results if inbound else []


def _inbound(notice: Notice) -> InboundMail | None:
    """The mail that is answered; None where it was deleted since. A query at each call."""
    return InboundMail.objects.defer("packed").filter(notice=notice.pk).first()


def _subject(facts: Facts) -> str:
    results = _results(facts)
    what = _say_what(results)
    return what if _plays_several(results) else _("%(what)s: %(table)s") % {"what": what, "table": facts.table}


def _say_what(results: Sequence[receipts.Result]) -> str:
    """What came of the mail, in a few words."""
    if len(results) == 1 and results[0]["code"] == "played":
        return _("%(move)s is played") % {"move": results[0]["read"]}
    if len(results) == 1 and results[0]["code"] == "back":
        return _("Taken back")
    if len(results) == 1 and results[0]["code"] == "asked":
        return _("%(move)s waits until you confirm it") % {"move": results[0]["read"]}
    if results and not any(result["is_done"] for result in results):
        return _("Nothing was done")
    if _plays_several(results):
        return _("%(count)d moves are played") % {"count": len(results)}
    return _("Answer to your mail")


def _plays_several(results: Sequence[receipts.Result]) -> bool:
    return len(results) > 1 and all(result["code"] == "played" for result in results)


def _lead(facts: Facts) -> str:
    inbound = _inbound(facts.notice)
    if inbound is None:
        return _("Your mail was read.")
    return receipts.say_mail(inbound.outcome) or _say_results(inbound.results)[0]


def _notes(facts: Facts) -> tuple[str, ...]:
    inbound = _inbound(facts.notice)
    if inbound is None:
        return ()
    said = _say_results(inbound.results)
    notes = said if receipts.say_mail(inbound.outcome) else said[1:]
    if any(result["code"] == "nothing-read" for result in inbound.results):
        notes.append(list_requests(is_alone=facts.pov.plays_alone))
    if inbound.is_last_receipt:
        notes.append(receipts.say_last())
    return tuple(notes)


def _say_results(results: list[receipts.Result]) -> list[str]:
    """A sentence or two for each turn, with the table where there are several."""
    if len(results) < 2:
        return [receipts.say_result(result) for result in results] or [_("Your mail was read.")]
    said = [(result["table"], receipts.say_result(result)) for result in results]
    return [f"{table}: {sentence}" if table else sentence for table, sentence in said]


def _button(facts: Facts) -> Link:
    """To the table, with the draft of a move that is to be confirmed there."""
    unconfirmed = [result for result in _results(facts) if result["code"] == "asked"]
    if len(unconfirmed) == 1:
        draft = links.draft_url(unconfirmed[0]["slug"], unconfirmed[0]["read"])
        return Link(_("Look and confirm %(move)s") % {"move": unconfirmed[0]["read"]}, draft)
    return Link(_("Go to the table"), links.url("table", facts.pov.slug))


def _other_buttons(facts: Facts) -> tuple[Link, ...]:
    """Where several moves are to be confirmed, a link to each."""
    unconfirmed = [result for result in _results(facts) if result["code"] == "asked"]
    if len(unconfirmed) < 2:
        return ()
    return tuple(
        Link(f"{result['table']}: {result['read']}", links.draft_url(result["slug"], result["read"]))
        for result in unconfirmed
    )


def _waiting(facts: Facts) -> str:
    """The move that was read for this table and not played yet."""
    slug = facts.pov.slug
    return next((one["read"] for one in _results(facts) if one["code"] == "asked" and one["slug"] == slug), "")


def _answer_again(notice: Notice) -> Mapping[int, Seat]:
    """The turns of the mail that is answered, by the same numbers, as long as nobody else has moved there: to try
    again, or to take the move back. A query, and one more for the turns."""
    inbound = _inbound(notice)
    if inbound is None or inbound.token.use != TurnToken.Use.ANSWER:
        return {}
    turns = inbound.token.turns.select_related("seat__game").defer("seat__clan", "seat__entropy")
    return {turn.number: turn.seat for turn in turns if _is_known(turn)}


def _is_known(turn: TokenTurn) -> bool:
    """Whether a game stands as the player knows it from the mail that they have answered, and from what came of it."""
    game = turn.seat.game
    known = {(turn.ply, turn.edition)}
    if turn.is_own:
        known.add((turn.ply + 1, turn.edition))
        known.add((turn.ply, turn.edition + 1))
    else:
        known.add((turn.ply - 1, turn.edition + 1))
    return game.is_running and (game.ply, game.edition) in known


KIND: Final = NoticeKind(
    name=Notice.Kind.RECEIPT,
    is_still_true=common.is_always_true,
    sending=common.ON_REQUEST,
    subject=_subject,
    lead=_lead,
    notes=_notes,
    summary=common.say(gettext_lazy("What became of the mail that you have sent.")),
    button=_button,
    other_buttons=_other_buttons,
    stamp=common.move_stamp,
    board=BoardPicture.LARGE,
    answers=Answers(seats=_answer_again, waiting_move=_waiting),
    log=lambda logged: _say_what(logged.results),
)
