"""How a mail about a turn can be answered, as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _, gettext_noop

REQUESTS: Final = {
    "more time": gettext_noop("To take a day from your reserve: %(written)s"),
    "thinking": gettext_noop("To tell the others that you are thinking it over: %(written)s"),
    "tonight": gettext_noop("To say that you will play tonight: %(written)s"),
    "vacation until 3 Dec": gettext_noop("To plan a vacation: %(written)s"),
    "back": gettext_noop("To take your move back while nobody else has seen it: %(written)s"),
}
"""What can be written instead of a move, which is the same in every language, and what for. No line of a mail begins
with it: whoever reads an answer must not take what is quoted for the answer."""


def invite_answer(example: str, *, number: int | None, is_another: bool = False) -> str:
    """That the mail can be answered with a move such as `example`; `number` is that of the table, in a mail about
    several. `is_another` is for a mail about a move that waits to be confirmed."""
    places = {"number": number, "move": example if number is None else f"{number} {example}"}
    if number is None and is_another:
        text = _("Or answer this mail with another move instead, such as %(move)s")
    elif number is None:
        text = _("Or answer this mail with your move, such as %(move)s")
    elif is_another:
        text = _("Or answer this mail with %(number)d and another move instead, such as %(move)s")
    else:
        text = _("Or answer this mail with %(number)d and your move, such as %(move)s")
    return text % places


def invite_back(*, number: int | None) -> str:
    """That the mail can be answered with `back`."""
    text = _("Or answer this mail with %(written)s, to take your move back until the next player is called.")
    return text % {"written": "back" if number is None else f"{number} back"}


def say_confirmed_first(invitation: str) -> str:
    """An invitation to answer with a move, and that this move is not played at once."""
    return _("%(invitation)s. You confirm it on the site before it is played.") % {"invitation": invitation}


def invite_words() -> str:
    """That the mail of a postcard can be answered by another one."""
    return _("Or answer this mail: your words become a postcard to all at the table.")


def explain_answers(
    example: str, order: str, *, number: int | None, lists_orders: bool, is_played: bool, is_alone: bool
) -> Iterator[str]:
    """What is understood, a paragraph each. `example` is a move, `order` one with the order of its villages.
    `lists_orders` says whether the mail has orders by numbers, `is_played` whether a move is played without asking,
    `is_alone` whether all others are computer players."""
    move, _equals, _order = order.partition("=")
    if number is not None:
        example, order, move = (f"{number} {written}" for written in (example, order, move))
        yield _("Begin each line with the number of its table. You can answer for several tables in one mail.")
    text = _(
        "Write your move in a line of its own, such as %(example)s. Where the order of several villages matters, write "
        "it behind the move: %(order)s shows the form."
    )
    yield text % {"example": example, "order": order}
    if lists_orders:
        yield _("Where this mail lists the orders, %(move)s #2 means the second of them.") % {"move": move}
    if is_played:
        yield _("Your move is played at once, and a mail confirms it.")
    else:
        yield _("Your move is not played at once: a mail brings you to the page where you confirm it.")
    requests = [_(purpose) % {"written": written} for written, purpose in _requests(is_alone=is_alone)]
    yield "\n".join([_("Instead of a move you can write:"), *requests])
    yield _(
        "Other words beside it become a postcard to the table, if your mail is about one table. Quoted text and "
        "signatures are not read."
    )


def list_requests(*, is_alone: bool) -> str:
    """What can be written instead of a move, in one sentence: for those who see the HTML of a mail alone. The comma
    behind each request keeps it from being one where a program quotes the sentence and wraps it."""
    *most, last = (f"“{written}”" for written, _purpose in _requests(is_alone=is_alone))
    text = _("Instead of a move you can write %(most)s, or %(last)s, each on a line of its own.")
    return text % {"most": ", ".join(most), "last": last}


def _requests(*, is_alone: bool) -> list[tuple[str, str]]:
    """What can be written, and what for, at a table at which all others are computer players or not."""
    return [(written, purpose) for written, purpose in REQUESTS.items() if not (is_alone and written == "thinking")]
