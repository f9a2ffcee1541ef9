"""Dovecot, Debian's own, as a server of one mailbox that a test starts, stops and fills."""

from __future__ import annotations

import imaplib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers import HOST, PATIENCE, free_port, wait_until

PASSWORD = "the/lake@is:frozen"
CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap
listen = {host}
ssl = no
disable_plaintext_auth = no
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
auth_mechanisms = plain
verbose_proctitle = yes
mail_location = maildir:{folder}/mails
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}
}}
first_valid_uid = 1
first_valid_gid = 1
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
{more}
"""


@dataclass
class ImapServer:
    """`url` is as REPLY_MAILBOX has it."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = field(default=None)

    @property
    def url(self) -> str:
        password = PASSWORD.replace("/", "%2F").replace("@", "%40").replace(":", "%3A")
        return f"imap://clans:{password}@{HOST}:{self.port}"

    def start(self) -> None:
        command = [program(), "-F", "-c", str(self.folder / "dovecot.conf")]
        self.process = subprocess.Popen(command)
        wait_until(self._answers, what="IMAP server")

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        self.process = None

    @contextmanager
    def client(self) -> Iterator[imaplib.IMAP4]:
        """Somebody else who reads this mailbox."""
        with imaplib.IMAP4(HOST, self.port, timeout=PATIENCE) as client:
            client.login("clans", PASSWORD)
            client.select()
            yield client

    def deliver(self, *mails: bytes, flags: str = "") -> None:
        with self.client() as client:
            for mail in mails:
                client.append("INBOX", flags, "", mail)

    @property
    def flags(self) -> list[str]:
        """Of each mail, as IMAP writes them, but whether it is new."""
        with self.client() as client:
            _status, told = client.fetch("1:*", "(FLAGS)")
        found = [line.decode().partition("FLAGS (")[2].rstrip(")") for line in told if isinstance(line, bytes)]
        return [" ".join(sorted(set(flags.split()) - {r"\Recent"})) for flags in found]

    def _answers(self) -> bool:
        try:
            with self.client():
                return True
        except (OSError, imaplib.IMAP4.error):
            return False


def program() -> str:
    """Dovecot's. Raises FileNotFoundError."""
    found = shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        raise FileNotFoundError("dovecot")
    return found


@contextmanager
def open_imap_server(*, more: str = "") -> Iterator[ImapServer]:
    """A server that is up, with an empty mailbox; `more` is written into its configuration. Root runs it as the users
    that Debian's package makes, others as themselves."""
    is_root = os.geteuid() == 0
    me = pwd.getpwuid(os.geteuid()).pw_name
    mails = pwd.getpwnam("nobody") if is_root else pwd.getpwuid(os.geteuid())
    folder = Path(tempfile.mkdtemp(prefix="clans-imap-"))
    server = ImapServer(folder, free_port())
    try:
        folder.chmod(0o755)
        (folder / "mails").mkdir()
        os.chown(folder / "mails", mails.pw_uid, mails.pw_gid)
        internal, login = ("dovecot", "dovenull") if is_root else (me, me)
        (folder / "dovecot.conf").write_text(
            CONFIGURATION.format(
                folder=folder,
                host=HOST,
                internal=internal,
                group=internal,
                login=login,
                password=PASSWORD,
                uid=mails.pw_uid,
                gid=mails.pw_gid,
                port=server.port,
                more=more,
            )
        )
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
