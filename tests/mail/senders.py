"""Connections to the mail server at which something happens once the server has the mail."""

from __future__ import annotations

from django.core.mail import EmailMessage

from games.mail.transport.connection import Connection, NoAnswer


class Deaf(Connection):
    """The mail goes out, and no answer is heard."""

    def send(self, mail: EmailMessage) -> None:
        super().send(mail)
        raise NoAnswer


class Dying(Connection):
    """The mail goes out, and its sender is killed before it can say so."""

    def send(self, mail: EmailMessage) -> None:
        super().send(mail)
        raise KeyboardInterrupt
