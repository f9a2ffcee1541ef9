"""The way to the mail server, and what it means when a mail was not taken."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from contextlib import suppress
from enum import Enum
from types import TracebackType
from typing import Any, Final, Self

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend

from games.models import Mail

# These speak of the sender's account, not of the mail: a person will mend it, and the mail can wait for that.
_OURS_TO_MEND: Final = {503, 530, 534, 535, 538}
# RFC 3463: what begins so speaks of the mailbox; 5.2.2 (full) and 5.7 (policy, often about the sender) do not.
_OF_THE_ADDRESS: Final = re.compile(r"5\.(1\.\d+|2\.[01])\b")
_ENHANCED: Final = re.compile(r"\s*\d\.\d{1,3}\.\d{1,3}\b")
_NAMES: Final = (socket.gaierror, socket.herror)
_OF_THE_NET: Final = (smtplib.SMTPException, ConnectionError, TimeoutError, ssl.SSLError, *_NAMES)
DETAIL_LENGTH: Final = 300
GO_AHEAD: Final = 354
"""What a server answers to DATA alone; from then on it gets the mail itself."""
_ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\"'“”]+@[^\s<>()\[\],;:\"'“”]+")


class Outcome(Enum):
    """What has become of a mail that the server did not take on."""

    NOT_SENT = "not sent"
    """Surely: the server was away or busy, or has said 4yz. It can be sent again without a thought."""
    REFUSED = "refused"
    """For ever: the server has said 5yz to MAIL, RCPT, DATA or the mail itself."""
    UNKNOWN = "unknown"
    """It went out, and no answer came: it is sent again as it was, under the same Message-ID."""


class NotTaken(OSError):
    """A mail that was not taken, of which the mail backend itself knows what has become."""

    def __init__(self, text: str, outcome: Outcome, *, of_address: bool = False) -> None:
        super().__init__(text)
        self.outcome = outcome
        self.of_address = of_address


class NoAnswer(smtplib.SMTPException):
    """The mail went out, perhaps to its final dot, and nothing that can be read came back: it may be on its way."""


# --- SMTP -----------------------------------------------------------------------------------------


class _Smtp(smtplib.SMTP):
    """In the clear, or with STARTTLS. smtplib raises the same error wherever a connection falls silent or breaks; this
    one raises NoAnswer for a mail whose answer was never read."""

    _code = 0

    def getreply(self) -> tuple[int, bytes]:
        self._code, text = super().getreply()
        return self._code, text

    def data(self, msg: Any) -> tuple[int, bytes]:
        try:
            code, text = super().data(msg)
        except smtplib.SMTPException as error:
            if self._code == GO_AHEAD:
                raise NoAnswer(str(error)) from error
            raise
        match code // 100:
            case 2:
                return 250, text  # all that sendmail knows as a yes
            case 4 | 5:
                return code, text
            case _:
                raise NoAnswer(f"{code} {text.decode(errors='replace')}")


class _SmtpSsl(_Smtp, smtplib.SMTP_SSL):
    """The same with TLS from the first byte."""


class SmtpBackend(EmailBackend):
    """Raises what Django's raises, and NoAnswer."""

    @property
    def connection_class(self) -> type[smtplib.SMTP | smtplib.SMTP_SSL]:
        return _SmtpSsl if self.use_ssl else _Smtp


# --- A connection ---------------------------------------------------------------------------------


class Connection:
    """A connection to the mail server, used for several mails, or for `most` of them; a new one after a failure."""

    def __init__(self, *, most: int | None = None) -> None:
        self._most = most or settings.MAILS_A_CONNECTION
        self._connection: BaseEmailBackend | None = None
        self._sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> BaseEmailBackend:
        """The open connection. Raises what the mail backend raises when the server is away (SMTP: OSError)."""
        if self._connection is None:
            self._connection, self._sent = get_connection(), 0
            try:
                self._connection.open()
            except BaseException:
                self.close()
                raise
        return self._connection

    def send(self, mail: EmailMessage) -> None:
        """Hand `mail` to the server; when this returns, the server has taken it on. Raises as `open` does.

        If the server has closed a reused connection, it is opened again, once.
        """
        is_reused = self._connection is not None and self._sent > 0
        try:
            if not self.open().send_messages([mail]):
                raise OSError("the mail backend sent nothing")
        except BaseException as error:
            self.close()
            if not (is_reused and _hung_up(error)):
                raise
            self.send(mail)
            return
        self._sent += 1
        if self._sent >= self._most:
            self.close()

    def close(self) -> None:
        """Close the connection. That this can fail says nothing about the mails that the server took on."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()


# --- What an error means --------------------------------------------------------------------------


def outcome_of(error: Exception) -> Outcome:
    """What an error of `Connection.send` says of the mail. What nobody foresaw counts as not sent."""
    if isinstance(error, NotTaken):
        return error.outcome
    if isinstance(error, NoAnswer):
        return Outcome.UNKNOWN
    return Outcome.REFUSED if any(_is_for_ever(code) for code, _text in _answers(error)) else Outcome.NOT_SENT


def refuses_address(error: Exception) -> bool:
    """Whether the server has said that there is no such mailbox: no mail at all will reach this address."""
    if isinstance(error, NotTaken):
        return error.of_address
    if not isinstance(error, smtplib.SMTPRecipientsRefused):
        return False
    return any(_is_for_ever(code) and _names_address(text) for code, text in _answers(error))


def name_server() -> str:
    """Where mail goes, for whoever runs the site: host and port of the mail server, or the name of the provider."""
    return settings.MAIL_PROVIDER or f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"


def explain(error: Exception) -> tuple[Mail.Error, str]:
    """Why a mail was not taken: as a code, and in the server's own words or those of the error; one line."""
    answers = _answers(error)
    if answers:
        return _code_of(answers[0][0]), quote("; ".join(f"{code} {text}" for code, text in answers))
    if isinstance(error, NotTaken):
        return Mail.Error.PROVIDER, quote(str(error))
    return _code_without_answer(error), quote(f"{type(error).__name__}: {error}")


def _code_of(answer: int) -> Mail.Error:
    if answer in _OURS_TO_MEND:
        return Mail.Error.NO_ENTRY
    return Mail.Error.REFUSED if answer >= 500 else Mail.Error.BUSY


def _code_without_answer(error: Exception) -> Mail.Error:
    if isinstance(error, NoAnswer):
        return Mail.Error.NO_ANSWER
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return Mail.Error.NO_ENTRY
    return Mail.Error.AWAY if isinstance(error, _OF_THE_NET) or type(error) is OSError else Mail.Error.FAULT


def quote(answer: str) -> str:
    """What somebody has said about a mail, in one line and without addresses: servers like to repeat whose it is."""
    return _ADDRESS.sub("…", " ".join(answer.split()))


def _answers(error: BaseException) -> list[tuple[int, str]]:
    """What the server answered to the mail itself; nothing when it did not come to that."""
    match error:
        case smtplib.SMTPRecipientsRefused():
            return [(code, _text(text)) for code, text in error.recipients.values()]
        case smtplib.SMTPSenderRefused() | smtplib.SMTPDataError():
            return [(error.smtp_code, _text(error.smtp_error))]
        case _:
            return []


def _is_for_ever(code: int) -> bool:
    return 500 <= code < 600 and code not in _OURS_TO_MEND


def _names_address(text: str) -> bool:
    """Whether a refusal to RCPT is about the mailbox; a server that gives no enhanced code is taken to mean it."""
    return not _ENHANCED.match(text) or bool(_OF_THE_ADDRESS.match(text.strip()))


def _hung_up(error: BaseException) -> bool:
    """Whether the connection was over before the server had the mail."""
    return isinstance(error, smtplib.SMTPServerDisconnected) or any(code == 421 for code, _text in _answers(error))


def _text(answer: bytes | str) -> str:
    return answer.decode(errors="replace") if isinstance(answer, bytes) else answer
