"""Every mail as it is sent: small, complete in itself, and the same in text and HTML."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from html import unescape
from typing import cast

import pytest

from games.mail.compose import LINE
from games.mail.kinds import KINDS
from tests.elements import Element, parse
from tools.every_mail import every_mail

WITHOUT_A_BOARD = {"expired", "handed", "next", "expired-of-series", "release", "cancelled", "season-for-opener"}
NAMES = (
    *KINDS,
    "turn-first",
    "turn-early",
    "turn-of-two",
    "turn-late",
    "reminder-last",
    "bundle",
    "bundle-many",
    "turn-to-answer",
    "bundle-to-answer",
    "turn-in-full",
    "bundle-in-full",
    "turn-with-talk",
    "receipt-refused",
    "receipt-asked",
    "finished-of-series",
    "turn-of-series",
    "expired-of-series",
    "invitation",
    "invitation-to-season",
    "release",
    "cancelled",
    "season-for-opener",
)
"""Of the mails of `every_mail`: one of each kind by its name, and more."""

Mails = dict[str, bytes]


_made: Mails = {}


@pytest.fixture
def mails(db: None) -> Mails:
    """One mail of each kind, of games that were really played, as bytes; made once."""
    if not _made:
        _made.update(every_mail())
    return _made


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def raw(mails: Mails, name: str) -> bytes:
    return mails[name]


@pytest.fixture
def mail(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=policy.default)


@pytest.fixture
def html(mail: EmailMessage) -> Element:
    return parse(part(mail, "html"))


def part(mail: EmailMessage, subtype: str) -> str:
    body = mail.get_body(preferencelist=(subtype,))
    assert body is not None
    return str(body.get_content())


def pictures(mail: EmailMessage) -> dict[str, MIMEPart]:
    """The parts that are pictures, by the ids that HTML knows them by."""
    return {str(found["Content-ID"]).strip("<>"): found for found in mail.walk() if found["Content-ID"]}


def test_there_is_one_of_each_kind(mails: Mails) -> None:
    assert sorted(mails) == sorted(NAMES)


def test_it_is_under_100_kilobytes_as_it_is_sent(raw: bytes) -> None:
    assert len(raw) < 100_000


def test_it_goes_through_any_mail_server(raw: bytes) -> None:
    assert raw.isascii()
    lines = raw.split(b"\r\n")
    assert all(len(line) <= 998 for line in lines)
    assert not any(b"\n" in line or b"\r" in line for line in lines)


def test_its_pictures_travel_inside_it(mail: EmailMessage, html: Element, name: str) -> None:
    sources = [str(img["src"]) for img in html.select("img")]
    assert sorted(sources) == sorted(f"cid:{cid}" for cid in pictures(mail))
    assert bool(sources) == (name not in WITHOUT_A_BOARD)
    for found in pictures(mail).values():
        assert found.get_content_type() == "image/png"
        assert found.get_content_disposition() == "inline"
        assert found.get_content().startswith(b"\x89PNG")


def test_it_keeps_its_parts_where_programs_look(mail: EmailMessage, name: str) -> None:
    """Pictures beside the text in both its forms, as the large webmails send them (RFC 2387)."""
    if name not in WITHOUT_A_BOARD:
        assert (mail.get_content_type(), mail.get_param("type")) == ("multipart/related", "multipart/alternative")
        mail, *shown = (cast("EmailMessage", found) for found in mail.iter_parts())
        assert {found.get_content_type() for found in shown} == {"image/png"}
    assert mail.get_content_type() == "multipart/alternative"
    assert [found.get_content_type() for found in mail.iter_parts()] == ["text/plain", "text/html"]
    assert mail.defects == []


def test_it_says_in_words_what_pictures_show(html: Element) -> None:
    for img in html.select("img"):
        alt = str(img["alt"])
        assert alt.startswith("The board ")
        told = [" ".join(line.get_text(" ").split()) for line in html.select("td") if "·" in line.get_text()]
        moved = re.findall(r"\w+ moved \w\d to \w\d", alt)
        assert all(any(move in line for line in told) for move in moved)
        assert int(str(img["width"])) > int(str(img["height"])) > 100


def test_a_call_shows_the_board_before_and_after(mails: Mails) -> None:
    for name in ("turn-early", "turn", "turn-of-two", "turn-late"):
        html = parse(part(message_from_bytes(mails[name], policy=policy.default), "html"))
        now, before = (str(img["alt"]) for img in html.select("img"))
        own, *since = re.findall(r"\w\d-\w\d", html.get_text())
        assert f"after your move {own}" in before
        assert all(f"moved {move.replace('-', ' to ')}" in now for move in since)
        assert len(since) == now.count(" moved ") == (1 if name == "turn-of-two" else 2)


def test_it_loads_nothing_from_elsewhere(html: Element) -> None:
    assert not html.select("script, link, iframe, object, form, base, video, picture")
    assert not re.search(r"url\(|@import|@font-face|background=|srcset", str(html))
    links = {str(link["href"]) for link in html.select("a")}
    assert all(link.startswith("http://localhost:8000/") for link in links)


def test_text_and_html_lead_to_the_same_pages(mail: EmailMessage, html: Element) -> None:
    assert {link["href"] for link in html.select("a")} == set(re.findall(r"http\S+", part(mail, "plain")))


def test_its_text_is_complete_in_itself(mail: EmailMessage, html: Element, name: str) -> None:
    """Whatever HTML says is in the text too, but for labels of what only HTML has."""
    text = " ".join(part(mail, "plain").split())
    parts = html.select("h1, h2, p:not(:has(> .answer)), .answer, strong, td.line, .lead")
    said = [" ".join(found.get_text(" ").split()) for found in parts]
    html_only = {"Clans by mail", "Epoch chart", "The cards are shown", "As you left it", "At the beginning"}
    missing = [words for words in said if words not in text and words not in html_only]
    assert [words for words in missing if not all(one in text for one in re.split(r"(?<=[.!?]) ", words))] == []
    assert unescape(text) == text


def test_its_text_has_short_lines(mail: EmailMessage) -> None:
    text = part(mail, "plain")
    assert all(len(line) <= LINE or "://" in line for line in text.splitlines())
    assert "\n\n\n" not in text
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_it_names_the_table_and_whom_it_answers_to(mail: EmailMessage, name: str) -> None:
    if name in {"cancelled", "season-for-opener", "invitation-to-season"}:
        assert (mail["X-Clans-Game"], mail["X-Clans-Ply"]) == (None, None)
    else:
        assert re.fullmatch(r"[a-z0-9]{10}", mail["X-Clans-Game"])
        assert mail["X-Clans-Ply"].isdecimal()
    assert mail["X-Clans-Kind"] in {name.partition("-")[0] for name in NAMES} - {"bundle"}
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_it_has_styles_by_itself_and_a_sheet_for_phones_and_nights(html: Element) -> None:
    [sheet] = html.select("style")
    conditions = re.findall(r"@media \((.*?)\) \{", sheet.get_text())
    assert conditions == ["max-width: 480px", "prefers-color-scheme: dark"]
    named = set(re.findall(r"\.([\w-]+)", sheet.get_text()))
    used = {one for found in html.select("[class]") for one in found.classes}
    assert used <= named
    assert {"card", "title", "lead", "button", "button-link"} <= used
