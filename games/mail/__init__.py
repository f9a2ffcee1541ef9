"""What mail is owed, whether it is still true, what it says and how it goes out (design 2.5)."""

from games.mail.bounces import came_back, read_report
from games.mail.delivery import backoff, deliver, sweep
from games.mail.invariants import PATIENCE, faults
from games.mail.letter import Letter
from games.mail.mailbox import forget_all
from games.mail.outbox import forgo, owe, owe_many, replan
from games.mail.plan import still_true
from games.mail.stop import SCOPES, Stop, read_stop_token, resume_mail, seal_wishes, stop_mail, stop_url
from games.mail.telling import tell
from games.mail.wishes import Asked, ask_for_test, choose_modes, try_again

__all__ = [
    "PATIENCE",
    "SCOPES",
    "Asked",
    "Letter",
    "Stop",
    "ask_for_test",
    "backoff",
    "came_back",
    "choose_modes",
    "deliver",
    "faults",
    "forget_all",
    "forgo",
    "owe",
    "owe_many",
    "read_report",
    "read_stop_token",
    "replan",
    "resume_mail",
    "seal_wishes",
    "still_true",
    "stop_mail",
    "stop_url",
    "sweep",
    "tell",
    "try_again",
]
