"""Mails that come in (design 3.2): they are taken in, whoever brings them, and handled: who sent each, what it asks
for, and what becomes of it."""

from games.inbox.delivered import envelope_of, sender_called, without_mbox_line
from games.inbox.envelope import Envelope, public_host
from games.inbox.handling import forget, handle, handle_due, sweep
from games.inbox.reading import MOST_BYTES
from games.inbox.receiving import MailRefused, is_ours, receive, tell
from games.inbox.understanding import is_request
