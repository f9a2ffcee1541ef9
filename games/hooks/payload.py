"""What a call says, in the words of each kind of webhook. docs/webhooks.md tells the format of JSON."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _

from games import mail
from games.hooks.owed import as_notice
from games.models import Game, Webhook, WebhookCall

FORMAT: Final = "clans-hook/1"
SIGNATURE: Final = "X-Clans-Signature"
MOST_LINES: Final = 6
"""How many moves a chat gets."""
DISCORD_LENGTH: Final = 2000
_MARKDOWN: Final = re.compile(r"^-|[\\`*_~|<>#\[\]]")
_SLACK: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@\u200b"})

Kind = Webhook.Kind


@dataclass(frozen=True, slots=True)
class Content:
    """What a call says: a line that says it all, lines that say more, and the table's address."""

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


def content_of(call: WebhookCall, *, at: datetime) -> Content:
    """What the call says, in its player's language and zone, and never a clan. Costs 3 queries and one fold."""
    notice = as_notice(call)
    seat, game, letter = notice.seat, notice.seat.game, mail.brief_letter(notice, at=at)
    policy = mail.kind_of(call.kind).webhook
    lead = (letter.lead,) if policy.has_lead else ()
    history = letter.history[-MOST_LINES:]
    said = (f"{line.head}: {' '.join(line.text.split())}" for line in letter.talk) if policy.has_talk else ()
    until = (letter.until, letter.then) if policy.has_deadline else ()
    return Content(
        event=call.kind,
        id=f"{game.slug}-{call.kind}-{call.ply}-{call.number}",
        title=letter.subject,
        lines=tuple(filter(None, (*lead, *said, *(line.words for line in history), *until))),
        url=letter.url,
        details={
            "at": call.created_at.isoformat(timespec="seconds"),
            "table": {"name": letter.table, "slug": game.slug, "url": letter.url},
            "seat": {"number": seat.number, "name": seat.name},
            "ply": call.ply,
            "moves": [{"move": line.notation, "words": line.words} for line in letter.history],
            **_deadline(game, is_known=policy.has_deadline),
        },
    )


def _deadline(game: Game, *, is_known: bool) -> dict[str, str | None]:
    """Until when the turn is free, and when it is over; empty when it is not the reader's turn."""
    due = {"free_until": game.free_until, "due_at": game.due_at}
    return {name: moment.isoformat(timespec="seconds") if is_known and moment else None for name, moment in due.items()}


def content_of_test(hook: Webhook, *, at: datetime) -> Content:
    """What a test says, in the active language."""
    return Content(
        event="test",
        id=f"test-{at:%Y%m%dT%H%M%SZ}",
        title=_("A test: calls from Clans by mail reach you here."),
        lines=(_("Nothing is asked of you."),),
        url=f"{settings.SITE_URL}/",
        details={"at": at.isoformat(timespec="seconds"), "seat": {"number": None, "name": hook.player.username}},
    )


def write(content: Content, hook: Webhook, *, at: datetime) -> Message:
    """The call as it is sent to `hook` at `at`, with a signature of body and time."""
    fields = {Kind.DISCORD: _for_discord, Kind.SLACK: _for_slack, Kind.JSON: _for_programs}[Kind(hook.kind)](content)
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": f"clans-by-mail (+{settings.SITE_URL})",
        "X-Clans-Event": content.event,
        "X-Clans-Id": content.id,
    }
    if hook.kind == Kind.JSON:
        headers[SIGNATURE] = sign(body, hook.secret, at=at)
    return Message(body, headers)


def sign(body: bytes, secret: str, *, at: datetime) -> str:
    """The time in seconds, and the HMAC-SHA256 of that time, a dot and the body: `t=1772481600,v1=...`."""
    moment = int(at.timestamp())
    code = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    return f"t={moment},v1={code.hexdigest()}"


def _for_discord(content: Content) -> dict[str, Any]:
    """In the format of Discord: no name pings anybody or is read as Markdown."""
    title, *lines = (_MARKDOWN.sub(r"\\\g<0>", _unlinked(line)) for line in (content.title, *content.lines))
    said = "\n".join((f"**{title}**", *lines))
    room = DISCORD_LENGTH - len(content.url) - 1
    # Half an escape at the end would be worse than none.
    said = said if len(said) <= room else said[: room - 2].rstrip("\\") + "…"
    return {"content": f"{said}\n{content.url}", "allowed_mentions": {"parse": []}}


def _unlinked(line: str) -> str:
    """The text without addresses that a chat would make links: the name of a table is a player's text."""
    return line.replace("://", ":\u200b//")


def _for_slack(content: Content) -> dict[str, Any]:
    """In the format of Slack: no name pings anybody. Mattermost reads `@all` in plain text, too."""
    lines = (_unlinked(line).translate(_SLACK) for line in (content.title, *content.lines))
    return {"text": "\n".join((*lines, content.url)), "mrkdwn": False}


def _for_programs(content: Content) -> dict[str, Any]:
    said = {"title": content.title, "text": "\n".join(content.lines)}
    return {"format": FORMAT, "event": content.event, "id": content.id, **said, "url": content.url, **content.details}
