"""What a receipt says: what became of a mail that came in, as sentences, from the codes that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_noop, ngettext

from games import rules
from games.words.refusals import SENTENCES, PlayError
from games.words.vocabulary import join_words

Result = Mapping[str, Any]
"""What `InboundMail.results` has of one turn: `code`, the `read` request, `params` of a refusal, `choices`, `words`,
`missed`."""

MAILS: Final = {
    "foreign": gettext_noop(
        "A mail that would have moved for you came from an address that is not yours. Nothing was played. If you have "
        "sent it, answer from the address of your account."
    ),
    "repeated": gettext_noop(
        "The same mail has come a second time. What it asks for was done, or not, the first time."
    ),
    "broken": gettext_noop("Your mail is too large or too complicated to be read, so nothing was played."),
    "too-often": gettext_noop(
        "You have sent many mails within an hour. This one and those that follow are not read; use the site meanwhile."
    ),
}
"""What is said of a mail as a whole, by its outcome."""

ANSWERED: Final = {
    "tonight": gettext_noop("You have said that you will play tonight. No reminder comes before this evening."),
    "thinking": gettext_noop("The others see that you are thinking it over."),
    "day": gettext_noop("You have taken a day from your reserve."),
}
"""What is said to whoever has answered a reminder, by the answer."""

DONE: Final = {
    "played": gettext_noop("%(read)s is played."),
    "asked": gettext_noop("%(read)s was read and not played yet: open the page and confirm it."),
    "more-time": ANSWERED["day"],
    "thinking": ANSWERED["thinking"],
    "tonight": ANSWERED["tonight"],
    "vacation": gettext_noop(
        "Your vacation from today until %(read)s is planned. At tables that allow it, your clock stands still."
    ),
    "back": gettext_noop("Your move is taken back. It is your turn again."),
    "said": gettext_noop("Your words are on a postcard to all at the table."),
}
NOT_DONE: Final = {
    "several": gettext_noop("Several things were read (%(read)s), so none was done. Send one of them."),
    "needs-order": gettext_noop(
        "%(read)s founds several villages, so it needs their order. Send one of these: %(choices)s."
    ),
    "no-such-order": gettext_noop("There is no such founding order of %(read)s. Send one of these: %(choices)s."),
    "no-line": gettext_noop(
        "%(read)s was read in a sentence and not played, so that nothing is guessed. Write it on a line of its own."
    ),
    "nothing-read": gettext_noop(
        "Nothing in your mail is a move or anything else that can be done by mail. It begins with: %(read)s"
    ),
    "no-words": gettext_noop("Your mail has no words of your own: only what it quotes was found."),
    "words-only": gettext_noop(
        "%(read)s was not played: the mail that you have answered is about the talk. Answer the one that calls you."
    ),
    "which-table": gettext_noop(
        "This was not done: %(read)s. The mail that you have answered is about several tables: put the number of the "
        "table in front (1 %(read)s, for example)."
    ),
    "not-signed": gettext_noop(
        "This was not done, because your mail does not prove that you have sent it. Do it on the site: %(read)s"
    ),
    "played-already": gettext_noop("This turn is over: %(move)s has been played."),
    "played-by-autopilot": gettext_noop("Your time had run out, and the autopilot has played %(move)s."),
    "turn-over": gettext_noop("This turn is over, so this was not done: %(read)s."),
    "nothing-played": gettext_noop(
        "You have not moved in this turn, so there is nothing to take back. A move that waits until you confirm it is "
        "not played."
    ),
    "nobody-to-tell": gettext_noop(
        "Nobody was told that you are thinking it over: all others at this table are computer players."
    ),
    "no-such-table": gettext_noop("There is no table of that number in the mail that you have answered."),
    "not-a-move": gettext_noop("%(read)s names a territory that this map does not have."),
    "no-such-date": gettext_noop("%(read)s is no date that was understood. Write it like 3 Dec or 2026-12-03."),
}
"""What is said of one turn, by the code of its result; all other codes are those of rules and of `games.play`."""


def say_mail(outcome: str) -> str:
    """What is said of a mail as a whole; empty where its results say it."""
    return _(MAILS[outcome]) if outcome in MAILS else ""


def say_last() -> str:
    """That the next failures are not answered."""
    return _(
        "For up to an hour you get no more mails about answers that were not carried out. Moves are played and "
        "confirmed as before."
    )


def say_result(result: Result) -> str:
    """What became of one turn: what was read, what was done or why not, and what could be played instead."""
    code = result["code"]
    choices = result.get("choices", ())
    places = {
        **result.get("params", {}),
        "read": result.get("read", ""),
        "choices": join_words(choices) if choices else "",
    }
    if code == "vacation":
        places["read"] = date_format(date.fromisoformat(result["read"]), "j F")
    if template := DONE.get(code) or NOT_DONE.get(code):
        sentence = _(template) % places
    elif template := rules.REFUSALS.get(code):
        sentence = _("%(read)s was not played. %(why)s") % (places | {"why": _(template) % places})
    else:
        sentence = _(SENTENCES.get(code, PlayError.sentence))
    more = (_say_unsigned(result), _say_choices(result), _say_words(result), _say_missed(result))
    return " ".join(filter(None, (sentence, *more)))


def _say_choices(result: Result) -> str:
    """What is legal from the origin of a move that was refused, where the sentence itself does not say it."""
    if result["code"] not in rules.REFUSALS or not result.get("origin"):
        return ""
    if not result.get("choices"):
        return _("Nothing can move out of %(origin)s.") % {"origin": result["origin"]}
    places = {"origin": result["origin"], "choices": join_words(result["choices"])}
    return _("From %(origin)s you can play %(choices)s.") % places


def _say_unsigned(result: Result) -> str:
    """Why a move is asked for again, where the mail does not prove whose it is."""
    if result["code"] != "asked" or result["params"]["is_signed"]:
        return ""
    return _("Your mail does not prove that you have sent it: it has no signature of your mail server that fits.")


def _say_words(result: Result) -> str:
    """What became of the words that came with the answer."""
    if result.get("words") == "kept":
        return _("Your words are on a postcard to all at the table.")
    if result.get("words") == "lost":
        return _("The rest of your mail was not kept.")
    return ""


def _say_missed(result: Result) -> str:
    """What seems to be asked for in a sentence, and was not done. No phrase stands at the end, where it could come to
    stand on a line of its own and be read out of a quotation."""
    missed = [_("“%(words)s”") % {"words": words} for words in result.get("missed", ())]
    if not missed:
        return ""
    template = ngettext(
        "%(missed)s is part of a sentence and was not understood as a request: write it on a line of its own.",
        "%(missed)s are parts of sentences and were not understood as requests: write each on a line of its own.",
        len(missed),
    )
    return template % {"missed": join_words(missed)}
