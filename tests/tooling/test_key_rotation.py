"""Another SECRET_KEY, with the old one among SECRET_KEY_FALLBACKS: what the old one has signed stays good."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLD, NEW = "old-key-of-this-site-" * 3, "new-key-of-this-site-" * 3
SETUP = """
import json, sys
import django
django.setup()
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from games import play
from games.mail import stop
from games.mail import message
from games.models import Mail, Player
from games.pages.accounts import passkey
from games.pages.table import poll
alice = Player(pk=5, username="alice", password="a hash")
"""
SIGN = """
print(json.dumps({
    "session": SessionStore().encode({"a": 1}),
    "signed in": alice.get_session_auth_hash(),
    "stop": stop._signer.sign_object([5, "games"]),
    "poll": poll.poll_url("slug", alice).split("/")[-2],
    "passkey": signing.dumps({"a": 1}, salt=passkey.SALT),
    "bounce": message.return_address(Mail(pk=17)),
    "deal": str(play.offer_deal(alice)),
}))
"""
READ = """
signed = json.load(sys.stdin)
def holds(read):
    try:
        return bool(read())
    except signing.BadSignature:
        return False
print(json.dumps({
    "session": holds(lambda: SessionStore().decode(signed["session"])),
    "signed in": signed["signed in"] in (alice.get_session_auth_hash(), *alice.get_session_auth_fallback_hash()),
    "stop": holds(lambda: stop._signer.unsign_object(signed["stop"])),
    "poll": holds(lambda: poll._reader(signed["poll"])),
    "passkey": holds(lambda: signing.loads(signed["passkey"], salt=passkey.SALT)),
    "bounce": holds(lambda: message.read_return_address(signed["bounce"])),
    "deal": holds(lambda: play.find_deal(signed["deal"], opener=alice)),
}))
"""


def run(code: str, folder: Path, *, said: str = "", **environment: str) -> str:
    """What a program of the site prints that has these keys."""
    done = subprocess.run(
        [sys.executable, "-c", SETUP + code],
        cwd=ROOT,
        input=said,
        env={
            "PATH": os.environ["PATH"],
            "VAR_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "clans_site.settings",
            "BOUNCE_ADDRESS": "bounces@example.com",
            **environment,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("fallbacks", "hold"), [(f"{'x' * 60} {OLD}", True), ("", False)], ids=["the old one as fallback", "none"]
)
def test_what_another_key_has_signed_is_good_as_long_as_the_key_is_a_fallback(
    tmp_path: Path, fallbacks: str, hold: bool
) -> None:
    signed = run(SIGN, tmp_path, SECRET_KEY=OLD)
    read = json.loads(run(READ, tmp_path, said=signed, SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=fallbacks))
    assert read == dict.fromkeys(json.loads(signed), hold)
