"""What mail is owed, whether it is still true, what it says and how it goes out (design 2.5)."""

from games.mail.delivery import deliver, sweep
from games.mail.invariants import faults
from games.mail.mailbox import forget_all
from games.mail.outbox import forgo, owe, owe_many, replan
from games.mail.stop import SCOPES, Stop, read_stop_token, resume_mail, stop_mail, stop_url
from games.mail.wishes import Asked, ask_for_test, choose_modes, try_again

__all__ = [
    "SCOPES",
    "Asked",
    "Stop",
    "ask_for_test",
    "choose_modes",
    "deliver",
    "faults",
    "forget_all",
    "forgo",
    "owe",
    "owe_many",
    "read_stop_token",
    "replan",
    "resume_mail",
    "stop_mail",
    "stop_url",
    "sweep",
    "try_again",
]
