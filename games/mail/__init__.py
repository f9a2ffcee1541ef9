"""What mail is owed, whether it is still true, what it says and how it goes out (design 2.5)."""

from games.mail.delivery import deliver, sweep
from games.mail.mailbox import forget_all
from games.mail.outbox import forgo, owe, owe_many, replan
from games.mail.stop import SCOPES, read_stop_token, stop_mail, stop_url

__all__ = [
    "SCOPES",
    "deliver",
    "forget_all",
    "forgo",
    "owe",
    "owe_many",
    "read_stop_token",
    "replan",
    "stop_mail",
    "stop_url",
    "sweep",
]
