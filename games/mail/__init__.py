"""What mail is owed, whether it is still true, what it says and how it goes out (design 2.5)."""

from games.mail.outbox import owe

__all__ = ["owe"]
