"""`python -m tools.mail_pictures FOLDER`: every mail as a mail program shows it, in Debian's Chromium.

A site of its own plays fixed games; each mail that they call for is written to the folder as it is sent (.eml), as
text, and as pictures of 360 and 700 pixels, by day and by night. After the folder, `--bare` leaves pictures out, and
`--readme` puts one of them into docs/pictures.
"""

from __future__ import annotations

import os
import sys
import tempfile
from email import message_from_bytes, policy
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

WIDTHS = (360, 700)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-color-profile=srgb"]
SHOWN = "turn"
README_PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "mail.png"


def main(folder: Path, *options: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_mails(folder)
    if "--bare" in options:
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        for file in sorted(folder.glob("*.eml")):
            _show(browser, file)
    if "--readme" in options:
        shown = Image.open(folder / f"{SHOWN}-700-light.png").convert("RGB")
        shown.quantize(128, dither=Image.Dither.NONE).save(README_PICTURE, optimize=True)


def write_mails(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="clans-mails-") as var:
        _set_up(var)
        from tools.every_mail import every_mail

        for name, mail in every_mail():
            (folder / f"{name}.eml").write_bytes(mail)
            (folder / f"{name}.txt").write_text(read(mail)[0], encoding="utf-8")
            print(f"{name:22} {len(mail):7,} bytes")


def _set_up(var: str) -> None:
    os.environ.update(VAR_DIR=var, DJANGO_SETTINGS_MODULE="clans_site.settings", SITE_URL="https://clans.example.com")
    os.environ["ALLOWED_HOSTS"] = "clans.example.com"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def read(mail: bytes) -> tuple[str, str]:
    """The text part, and the HTML part with the pictures that travel in the mail in the place of their ids."""
    from games.mail.transport.mailbox import StoredMail

    kept = StoredMail("", message_from_bytes(mail, policy=policy.default))
    return kept.text, kept.html


def _show(browser: Browser, file: Path) -> None:
    _text, html = read(file.read_bytes())
    for width in WIDTHS:
        for scheme in SCHEMES:
            page = browser.new_page(
                viewport={"width": width, "height": 700},
                color_scheme=scheme,
                device_scale_factor=2 if width < 500 else 1,
            )
            page.set_content(html)
            page.screenshot(path=file.with_name(f"{file.stem}-{width}-{scheme}.png"), full_page=True)
            page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
