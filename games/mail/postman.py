"""The way to the mail server, and what its refusals mean."""

from __future__ import annotations

import smtplib
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

MAILS_A_CONNECTION: Final = 100
"""Mail servers end a connection that brings too many."""

# These speak of the sender's account, not of the mail: a person will mend it, and the mail can wait for that.
_OURS_TO_MEND: Final = {503, 530, 534, 535, 538}


class Postman:
    """A connection to the mail server, kept from mail to mail; a new one after a failure or many mails."""

    def __init__(self) -> None:
        self._connection: BaseEmailBackend | None = None
        self._carried = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hang_up()

    def call(self) -> BaseEmailBackend:
        """The open connection. Raises what the mail backend raises when the server is away (SMTP: OSError)."""
        if self._connection is None:
            connection = get_connection()
            connection.open()
            self._connection, self._carried = connection, 0
        return self._connection

    def carry(self, mail: EmailMessage) -> None:
        """Hand `mail` to the server; when this returns, the server has taken it on. Raises as `call` does."""
        try:
            if not self.call().send_messages([mail]):
                raise OSError("the mail backend sent nothing")
        except BaseException:
            self.hang_up()
            raise
        self._carried += 1
        if self._carried >= MAILS_A_CONNECTION:
            self.hang_up()

    def hang_up(self) -> None:
        """Close the connection. That this can fail says nothing about the mails that the server took on."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()


def is_refused_for_ever(error: Exception) -> bool:
    """Whether the server has said of this mail that it will never take it (5yz to MAIL, RCPT, DATA or the mail itself).

    Everything else may pass: a server that is away or busy, a broken connection, a sign-in that the operator must mend.
    """
    return any(500 <= code < 600 and code not in _OURS_TO_MEND for code, _text in _answers(error))


def explain(error: Exception) -> str:
    """An error as the notice keeps it: the server's own answer, or what kind of failure it was; one line."""
    answers = [f"{code} {text}" for code, text in _answers(error)]
    return " ".join("; ".join(answers or [f"{type(error).__name__}: {error}"]).split())


def _answers(error: Exception) -> list[tuple[int, str]]:
    """What the server answered to the mail itself; nothing when it did not come to that."""
    match error:
        case smtplib.SMTPRecipientsRefused():
            return [(code, _text(text)) for code, text in error.recipients.values()]
        case smtplib.SMTPSenderRefused() | smtplib.SMTPDataError():
            return [(error.smtp_code, _text(error.smtp_error))]
        case _:
            return []


def _text(answer: bytes | str) -> str:
    return answer.decode(errors="replace") if isinstance(answer, bytes) else answer
