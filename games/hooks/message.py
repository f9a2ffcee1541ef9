"""What a call says, in the words of each kind of webhook. docs/webhooks.md tells the format of JSON."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _

from games import mail
from games.hooks.owed import as_notice
from games.models import Game, Notice, Webhook, WebhookCall

FORMAT: Final = "clans-hook/1"
SIGNATURE: Final = "X-Clans-Signature"
MOST_LINES: Final = 6
"""So many moves are told in a chat."""
DISCORD_LENGTH: Final = 2000
_MARKDOWN: Final = re.compile(r"^-|[\\`*_~|<>#\[\]]")
_SLACK: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
HAS_DEADLINE: Final = frozenset({Notice.Kind.TURN, Notice.Kind.REMINDER})
"""What tells until when its reader has to move."""

Kind = Webhook.Kind


@dataclass(frozen=True, slots=True)
class Told:
    """What there is to tell: a line that says it all, lines that say more, and the table's address."""

    event: str
    id: str
    title: str
    lines: tuple[str, ...]
    url: str
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    body: bytes
    headers: dict[str, str]


def tell(call: WebhookCall, *, at: datetime) -> Told:
    """What the call tells its player, in their language and zone; nobody's clan. Costs 3 queries and one fold."""
    game, letter = call.seat.game, mail.tell(as_notice(call), at=at)
    history = letter.history[-MOST_LINES:]
    until = (letter.until, letter.then) if call.kind in HAS_DEADLINE else ()
    return Told(
        event=call.kind,
        id=f"{game.slug}-{call.kind}-{call.ply}-{call.number}",
        title=letter.subject,
        lines=tuple(filter(None, (*_lead(call, letter), *(line.words for line in history), *until))),
        url=letter.url,
        details={
            "at": call.created_at.isoformat(timespec="seconds"),
            "table": {"name": letter.table, "slug": game.slug, "url": letter.url},
            "seat": {"number": call.seat.number, "name": call.seat.name},
            "ply": call.ply,
            "moves": [{"move": line.notation, "words": line.words} for line in letter.history],
            **_deadline(call, game),
        },
    )


def _lead(call: WebhookCall, letter: mail.Letter) -> Iterator[str]:
    """What is new, where the title and the moves do not say it."""
    if call.kind != Notice.Kind.TURN:
        yield letter.lead


def _deadline(call: WebhookCall, game: Game) -> dict[str, str | None]:
    """Until when the turn is free, and when it is over; nothing where the reader need not move."""
    due = {"free_until": game.free_until, "due_at": game.due_at}
    is_asked = call.kind in HAS_DEADLINE
    return {name: moment.isoformat(timespec="seconds") if is_asked and moment else None for name, moment in due.items()}


def tell_test(hook: Webhook, *, at: datetime) -> Told:
    """What a test tells, in the active language."""
    return Told(
        event="test",
        id=f"test-{at:%Y%m%dT%H%M%SZ}",
        title=_("A test: calls from Clans by mail reach you here."),
        lines=(_("Nothing is asked of you."),),
        url=f"{settings.SITE_URL}/",
        details={"at": at.isoformat(timespec="seconds"), "seat": {"number": None, "name": hook.player.username}},
    )


def write(told: Told, hook: Webhook, *, at: datetime) -> Message:
    """The call as it goes to `hook` at `at`: that is what a signature covers, besides the body."""
    content = {Kind.DISCORD: _for_discord, Kind.SLACK: _for_slack, Kind.JSON: _for_programs}[Kind(hook.kind)](told)
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": f"clans-by-mail (+{settings.SITE_URL})",
        "X-Clans-Event": told.event,
        "X-Clans-Id": told.id,
    }
    if hook.kind == Kind.JSON:
        headers[SIGNATURE] = sign(body, hook.secret, at=at)
    return Message(body, headers)


def sign(body: bytes, secret: str, *, at: datetime) -> str:
    """The time in seconds, and the HMAC-SHA256 of that time, a dot and the body: `t=1772481600,v1=...`."""
    moment = int(at.timestamp())
    code = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    return f"t={moment},v1={code.hexdigest()}"


def _for_discord(told: Told) -> dict[str, Any]:
    """As Discord reads it: nobody is pinged by a name, and no name is read as layout."""
    title, *lines = (_MARKDOWN.sub(r"\\\g<0>", _unlinked(line)) for line in (told.title, *told.lines))
    said = "\n".join((f"**{title}**", *lines))
    room = DISCORD_LENGTH - len(told.url) - 1
    # Half an escape at the end would be worse than none.
    said = said if len(said) <= room else said[: room - 2].rstrip("\\") + "…"
    return {"content": f"{said}\n{told.url}", "allowed_mentions": {"parse": []}}


def _unlinked(line: str) -> str:
    """Without addresses that a chat would make a link of: a table is named by whoever opens it."""
    return line.replace("://", ":\u200b//")


def _for_slack(told: Told) -> dict[str, Any]:
    lines = (_unlinked(line).translate(_SLACK) for line in (told.title, *told.lines))
    return {"text": "\n".join((*lines, told.url)), "mrkdwn": False}


def _for_programs(told: Told) -> dict[str, Any]:
    said = {"title": told.title, "text": "\n".join(told.lines)}
    return {"format": FORMAT, "event": told.event, "id": told.id, **said, "url": told.url, **told.details}
