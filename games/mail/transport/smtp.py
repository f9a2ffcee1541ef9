"""Django's way to an SMTP server, which tells besides when the server may have a mail and has not said so."""

from __future__ import annotations

import smtplib
from typing import TYPE_CHECKING, Any, Final

from django.core.mail.backends.smtp import EmailBackend

GO_AHEAD: Final = 354
"""What a server answers to DATA alone; from then on it gets the mail itself."""


class NoAnswer(smtplib.SMTPException):
    """The mail went out, perhaps to its final dot, and nothing that can be read came back: it may be on its way."""


if TYPE_CHECKING:
    _Line = smtplib.SMTP
else:
    _Line = object


class _TellsStage(_Line):
    """smtplib raises the same error wherever a connection falls silent or breaks; this one raises NoAnswer for a mail
    whose answer was never read."""

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


class _Smtp(_TellsStage, smtplib.SMTP):
    """In the clear, or with STARTTLS."""


class _SmtpSsl(_TellsStage, smtplib.SMTP_SSL):
    """TLS from the first byte."""


class SmtpBackend(EmailBackend):
    """Raises what Django's raises, and NoAnswer."""

    @property
    def connection_class(self) -> type[smtplib.SMTP | smtplib.SMTP_SSL]:
        return _SmtpSsl if self.use_ssl else _Smtp
