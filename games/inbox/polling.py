"""Answers that a mail server keeps in a mailbox, fetched by IMAP (RFC 3501).

Only the process that polls has this in memory. It looks at mails that nobody has read, takes in those to addresses of
turns, and marks them as read once they are stored. It leaves all others as they are, and deletes nothing unless told.
"""

from __future__ import annotations

import imaplib
import logging
import re
import time
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.db import Error as DatabaseFault, close_old_connections
from django.utils import timezone
from imap_tools import AND, BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from games import mail
from games.inbox.delivered import envelope_of
from games.inbox.reading import MOST_BYTES
from games.inbox.receiving import MailRefused, receive, tell

logger = logging.getLogger(__name__)

PAUSE: Final = 60
"""Seconds between two looks; a server that knows IDLE says at once when there is something new."""
LONGEST_PAUSE: Final = 300
"""Seconds between two tries while the server or the database is away; the first ones come sooner."""
_SLICE: Final = 0.5
"""Seconds after which a wait notices that the process is to end."""
_TIMEOUT: Final = 30
_KINDS: Final = {"imap": (MailBoxUnencrypted, 143), "imap+starttls": (MailBoxStartTls, 143), "imaps": (MailBox, 993)}
_SIZE: Final = re.compile(rb"RFC822\.SIZE (\d+)")
AWAY: Final = (imaplib.IMAP4.error, ImapToolsError, OSError, DatabaseFault)
"""What is raised while the server or the database is away."""


@dataclass(slots=True)
class Poller:
    """Looks into one mailbox; `address` is as REPLY_MAILBOX has it."""

    address: str
    deletes: bool = False
    _left_alone: set[str] = field(default_factory=set)
    """The numbers (UIDs) of mails that are no answers, or too large for one."""
    _number_of_box: object = None

    @property
    def server(self) -> str:
        """Host and port of the server, for whoever runs the site."""
        where = urlsplit(self.address)
        return f"{where.hostname}:{where.port or _KINDS[where.scheme][1]}"

    def run(self, *, stop: Event) -> None:
        """Take in what comes until `stop` is set; a mail in hand is finished. Never raises while a server is away:
        after some minutes that is noted for /health/."""
        # A process of before may have noted it.
        pause, is_noted = 1, True
        while not stop.is_set():
            try:
                with self._connect() as box:
                    while not stop.is_set():
                        self._take_in_all(box, stop=stop)
                        if is_noted:
                            mail.note_mailbox(is_away=False)
                        pause, is_noted = 1, False
                        _wait(box, stop=stop)
            except AWAY as error:
                logger.warning("the mailbox at %s is looked into again in %d s: %s", self.server, pause, tell(error))
                if 2 * pause >= LONGEST_PAUSE:
                    mail.note_mailbox(is_away=True)
                    is_noted = True
                stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def run_once(self) -> int:
        """Take in what is there; how many that were. Raises OSError (or what IMAP or the database raise)."""
        with self._connect() as box:
            return self._take_in_all(box, stop=Event())

    def _connect(self) -> BaseMailBox:
        where = urlsplit(self.address)
        kind, port = _KINDS[where.scheme]
        box: BaseMailBox = kind(where.hostname or "", where.port or port, timeout=_TIMEOUT)
        box.login(unquote(where.username or ""), unquote(where.password or ""), unquote(where.path[1:]) or "INBOX")
        # imaplib asks before the login, when servers do not tell all.
        box.client.capabilities = tuple(box.client.capability()[1][0].decode().upper().split())
        # The same number is another mail, once the server has numbered them anew.
        number = box.client.response("UIDVALIDITY")[1]
        if number != self._number_of_box:
            self._number_of_box, self._left_alone = number, set()
        return box

    def _take_in_all(self, box: BaseMailBox, *, stop: Event) -> int:
        close_old_connections()
        taken = 0
        try:
            unread = set(box.uids(AND(seen=False, deleted=False)))
            self._left_alone &= unread
            for uid in sorted(unread - self._left_alone, key=int):
                if stop.is_set():
                    break
                taken += self._take_in(box, uid)
        finally:
            close_old_connections()
            if taken:
                logger.info("answers taken in from the mailbox: %d", taken)
        return taken

    def _take_in(self, box: BaseMailBox, uid: str) -> bool:
        """Store one mail if it is an answer; whether it was. One that is put off is looked at again the next time."""
        header, size = _fetch(box, uid, "BODY.PEEK[HEADER]")
        envelope = envelope_of(header)
        if not envelope.recipient or size > MOST_BYTES:
            self._left_alone.add(uid)
            return False
        raw, _size = _fetch(box, uid, "BODY.PEEK[]")
        if not raw:
            return False
        try:
            receive(raw, envelope, at=timezone.now())
        except MailRefused as error:
            logger.warning("an answer in the mailbox is left unread: %s", error.code)
            return False
        self._mark(box, uid)
        return True

    def _mark(self, box: BaseMailBox, uid: str) -> None:
        """As read; where it is to be deleted, it alone, whatever others have marked."""
        flags = r"(\Seen \Deleted)" if self.deletes else r"(\Seen)"
        _check(box.client.uid("STORE", uid, "+FLAGS.SILENT", flags))
        if self.deletes and "UIDPLUS" in box.client.capabilities:
            _check(box.client.uid("EXPUNGE", uid))


def _wait(box: BaseMailBox, *, stop: Event) -> None:
    """Until there may be something new, at most PAUSE seconds."""
    if "IDLE" not in box.client.capabilities:
        stop.wait(PAUSE)
        return
    ends = time.monotonic() + PAUSE
    with box.idle as idle:
        while not stop.is_set() and (now := time.monotonic()) < ends:
            # Where the connection is over, nothing comes, and at once; leaving IDLE raises then.
            if idle.poll(timeout=_SLICE) or time.monotonic() - now < _SLICE / 2:
                return


def _fetch(box: BaseMailBox, uid: str, what: str) -> tuple[bytes, int]:
    """A part of a mail, and the size of all of it; nothing where it is gone by now."""
    answer = _check(box.client.uid("FETCH", uid, f"(RFC822.SIZE {what})"))
    parts = [part for part in answer if isinstance(part, tuple)]
    if not parts:
        return b"", 0
    size = _SIZE.search(b" ".join(part if isinstance(part, bytes) else part[0] for part in answer))
    return parts[0][1], int(size[1]) if size else 0


def _check(answer: tuple[str, list[Any]]) -> list[Any]:
    """What the server answers. Raises IMAP4.error."""
    if answer[0] != "OK":
        raise imaplib.IMAP4.error(f"the server said {answer[0]}")
    return answer[1]
