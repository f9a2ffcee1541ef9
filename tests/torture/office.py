"""Run as a program: a mail server that takes everything, on the port it is told; prints a line of JSON for each mail.

A process of its own, which looks at no more than the head of a mail: between its taking a mail and its saying so a
sender may die, and the mail comes again. That is as short here as at any real server.
"""

from __future__ import annotations

import asyncio
import json
import sys
from email import message_from_bytes
from email.policy import default

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.servers import HOST


class Office:
    # aiosmtpd calls this by its name.
    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        head, _end, _body = (envelope.original_content or b"").partition(b"\r\n\r\n")
        message = message_from_bytes(head, policy=default)
        names = ("Message-ID", "X-Clans-Game", "X-Clans-Ply")
        print(json.dumps([str(message[name]) for name in names]), flush=True)
        return "250 kept"


async def main(port: int) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Office()), HOST, port)
    print(json.dumps("open"), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
