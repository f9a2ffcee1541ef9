"""The mailbox of a site that is being tried out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import dkim
import pytest
from django.core.mail import EmailMessage, EmailMultiAlternatives, send_mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games import mail
from games.mail.transport import mailbox as box
from games.models import Game, Notice
from games.pages.player import mailbox as mailbox_page
from tests.cast import AT
from tests.elements import parse
from tests.mail.post_office import PostOffice, open_post_office


def send(to: str = "alice@example.com", subject: str = "Hello", text: str = "Your code is 1234.") -> str:
    """The key of a mail that was just sent."""
    send_mail(subject, text, None, [to])
    return next(box.stored_mails()).key


def test_it_keeps_each_mail_whole(mailbox: Path, game: Game) -> None:
    assert mail.sweep(at=AT) == 3
    [first, *_rest] = kept = [box.stored_mail(found.key) for found in box.stored_mails()]
    assert len(kept) == 3
    assert first is not None
    notice = Notice.objects.get(mail__message_id=dict(first.headers)["Message-ID"])
    assert first.to == [f"{notice.seat.name}@example.com"]
    assert first.text.startswith(("Friday table\n\nIt is your turn", "Friday table\n\nAll are seated"))
    assert first.html.startswith("<!DOCTYPE html>")
    assert not [path for path in mailbox.iterdir() if path.suffix != ".eml"]


def test_it_lists_mails_newest_first(mailbox: Path, client: Client) -> None:
    keys = [send(subject=f"Mail {number}") for number in range(3)]
    page = client.get(reverse("mailbox")).content.decode()
    places = [page.index(key) for key in keys]
    assert places == sorted(places, reverse=True)
    assert page.index("Mail 2") < page.index("Mail 0")


def test_a_part_of_the_address_finds_its_mails(mailbox: Path, client: Client) -> None:
    ours, theirs = send("alice@example.com"), send("bob@example.com")
    page = client.get("/mailbox/", {"to": "Bob"}).content.decode()
    assert theirs in page
    assert ours not in page


def test_it_lists_mails_to_one_address(mailbox: Path, client: Client) -> None:
    ours, theirs = send("alice@example.com"), send("Bob <bob@example.com>")
    page = client.get(reverse("mailbox"), {"to": " Bob@example.com"}).content.decode()
    assert theirs in page
    assert ours not in page
    assert "No mail to carol@example.com." in client.get("/mailbox/", {"to": "carol@example.com"}).content.decode()


def test_it_shows_a_mail_as_its_reader_sees_it(mailbox: Path, client: Client) -> None:
    key = send(subject="Code <1>", text="Go to http://localhost:8000/tables/abc/ & play")
    page = unescape(client.get(reverse("mailbox_mail", args=(key,))).content.decode())
    assert "Code <1>" in page
    assert 'href="http://localhost:8000/tables/abc/"' in page
    assert "<iframe" not in page
    assert client.get(reverse("mailbox_html", args=(key,))).status_code == 404


def test_what_repeats_a_mail_or_is_technical_is_folded_away(mailbox: Path, client: Client) -> None:
    """On a phone the text of a digest is as long as ten screens."""
    alone = send()
    pictured = EmailMultiAlternatives("Hello", "text", to=["alice@example.com"])
    pictured.attach_alternative("<p>text</p>", "text/html")
    pictured.send()
    both = next(box.stored_mails()).key
    for key, opened in ((alone, [True, False]), (both, [False, False])):
        page = parse(client.get(reverse("mailbox_mail", args=(key,))).content)
        folded = page.select("#main details")
        assert [one.get_text() for one in page.select("#main summary")] == ["As text", "Headers"]
        assert [one.has_attr("open") for one in folded] == opened


def test_it_frames_the_html_part_where_nothing_runs_or_loads(mailbox: Path, client: Client) -> None:
    evil = EmailMultiAlternatives("Hello", "text", to=["alice@example.com"])
    evil.attach_alternative('<p style="color: red">hi</p><script>alert(1)</script>', "text/html")
    evil.send()
    key = next(box.stored_mails()).key
    page = client.get(reverse("mailbox_mail", args=(key,)))
    [alone] = parse(page.content).select("section[aria-labelledby=html] a[target=_blank]")
    frame = client.get(str(alone["href"]))
    assert 'sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"' in page.content.decode()
    assert "alert" not in page.content.decode()
    assert frame.content.decode().startswith('<p style="color: red">hi</p>')
    assert frame["X-Frame-Options"] == "SAMEORIGIN"
    policy = dict(part.split(" ", 1) for part in frame["Content-Security-Policy"].split("; "))
    assert policy == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'self'",
        "sandbox": "allow-same-origin allow-popups allow-popups-to-escape-sandbox",
    }
    assert "'none'" in page["Content-Security-Policy"].split("frame-ancestors")[1].split(";")[0]


def test_it_changes_nothing_when_it_is_read(mailbox: Path, client: Client) -> None:
    key = send()
    before = {path: path.read_bytes() for path in mailbox.iterdir()}
    client.get(reverse("mailbox"))
    client.get(reverse("mailbox_mail", args=(key,)))
    assert {path: path.read_bytes() for path in mailbox.iterdir()} == before
    assert client.post(reverse("mailbox")).status_code == 405


def test_it_forgets_the_oldest(mailbox: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box, "MOST", 3)
    keys = [send() for _mail in range(5)]
    assert [found.key for found in box.stored_mails()] == keys[:1:-1]


def subjects(client: Client, query: str) -> list[str]:
    found = parse(client.get(f"/mailbox/{query}").content)
    return [subject.get_text() for subject in found.select(".mailbox-subject")]


def test_it_shows_many_mails_on_pages(mailbox: Path, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox_page, "SHOWN", 2)
    for number in range(5):
        EmailMultiAlternatives(f"Mail {number}", "text", to=["alice@example.com"]).send()
    EmailMultiAlternatives("Another", "text", to=["bob@example.com"]).send()
    to = "?to=alice%40example.com"
    assert [subjects(client, f"{to}&at={at}") for at in (1, 2, 3, 4)] == [
        ["Mail 4", "Mail 3"],
        ["Mail 2", "Mail 1"],
        ["Mail 0"],
        [],
    ]
    middle = parse(client.get(f"/mailbox/{to}&at=2").content)
    assert [link["href"] for link in middle.select(".pager a")] == [f"{to}&at=1", f"{to}&at=3"]
    assert parse(client.get("/mailbox/?at=3").content).select(".pager a[rel=next]") == []
    assert subjects(client, "?at=x") == subjects(client, "?at=0") == subjects(client, "") == ["Another", "Mail 4"]


def test_it_shows_an_empty_mailbox(mailbox: Path, client: Client) -> None:
    assert "No mail yet." in client.get(reverse("mailbox")).content.decode()


@pytest.mark.parametrize("key", ["x", "..", "0" * 20 + "-" + "0" * 16, "../../etc/passwd"])
def test_it_reads_nothing_but_its_mails(mailbox: Path, client: Client, key: str) -> None:
    send()
    assert box.stored_mail(key) is None
    assert client.get(f"/mailbox/{key}/").status_code == 404
    assert client.get(f"/mailbox/{key}/html/").status_code == 404


@pytest.mark.parametrize("real", [{"DEBUG": False}, {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend"}])
def test_there_is_no_mailbox_on_a_real_site(
    mailbox: Path, client: Client, settings: Settings, real: dict[str, object]
) -> None:
    paths = ["/mailbox/", f"/mailbox/{(key := send())}/", f"/mailbox/{key}/html/"]
    assert [client.get(path).status_code for path in paths[:2]] == [200, 200]
    for name, value in real.items():
        setattr(settings, name, value)
    assert [client.get(path).status_code for path in paths] == [404, 404, 404]


def test_it_shows_the_pictures_that_travel_in_a_mail(mailbox: Path, client: Client, game: Game) -> None:
    mail.sweep(at=AT)
    for kept in box.stored_mails():
        frame = client.get(reverse("mailbox_html", args=(kept.key,))).content.decode()
        assert "cid:" not in frame
        assert 'src="data:image/png;base64,iVBORw0KGgo' in frame


ANSWER_TO = "turn+abc234@clans.example.com"


def call_to_the_table(to: str = "Alice <alice@example.com>") -> str:
    """The key of a mail that can be answered."""
    headers = {"Message-ID": "<1@clans.example.com>", "References": "<0@clans.example.com>"}
    EmailMessage(
        "Your turn – Café", "It is your turn.\n\nÉpoch 2", None, [to], reply_to=[ANSWER_TO], headers=headers
    ).send()
    return next(box.stored_mails()).key


@pytest.fixture
def answered(mailbox: Path, settings: Settings, tmp_path: Path) -> Iterator[PostOffice]:
    """Where the answers of the mailbox page go."""
    settings.MAILBOX_KEY_FILE, settings.REPLY_LOCAL_KEYS = str(tmp_path / "key"), str(tmp_path / "keys.json")
    with open_post_office() as office:
        settings.REPLY_LISTEN = f"smtp://127.0.0.1:{office.port}"
        yield office


def test_it_answers_as_a_mail_program_does(answered: PostOffice, client: Client) -> None:
    page = client.post(reverse("mailbox_mail", args=(call_to_the_table(),)), {"text": "C4-D1\r\n\r\nSchöne Grüße"})
    assert (page.status_code, page["Location"]) == (303, "/mailbox/?to=alice%40example.com")
    assert "What came of it" in client.get(page["Location"]).content.decode()
    [answer] = answered.mails
    told = {name: str(answer[name]) for name in ("From", "To", "Subject", "In-Reply-To", "References")}
    assert told == {
        "From": "alice@example.com",
        "To": ANSWER_TO,
        "Subject": "Re: Your turn – Café",
        "In-Reply-To": "<1@clans.example.com>",
        "References": "<0@clans.example.com> <1@clans.example.com>",
    }
    assert answered.senders == ["alice@example.com"]
    written, _wrote, quoted = answer.get_content().replace("\r\n", "\n").partition("\n\nOn ")
    assert written == "C4-D1\n\nSchöne Grüße"
    assert quoted.endswith(" wrote:\n\n> It is your turn.\n>\n> Époch 2\n")


def test_its_form_suggests_no_move_where_the_mail_asks_for_none(answered: PostOffice, client: Client) -> None:
    """The same form answers mails of postcards."""
    page = parse(client.get(reverse("mailbox_mail", args=(call_to_the_table(),))).content)
    [about] = page.select("form .helptext")
    assert "The mail says what it can be answered with." in about.get_text()
    assert not re.search(r"[A-L]\d-[A-L]\d", about.get_text())


def test_its_answers_are_signed_by_one_key(answered: PostOffice, client: Client, settings: Settings) -> None:
    for text in ("C4-D1", "pass"):
        client.post(reverse("mailbox_mail", args=(call_to_the_table(),)), {"text": text})
    [(name, record)] = json.loads(Path(settings.REPLY_LOCAL_KEYS).read_text()).items()
    assert name == "mailbox._domainkey.*"
    for raw in answered.raw:
        assert b"d=example.com;" in raw
        assert dkim.verify(raw, dnsfunc=lambda name, timeout: record.encode())
        assert not dkim.verify(
            raw.replace(b"C4-D1", b"C4-E1").replace(b"pass", b"boss"), dnsfunc=lambda name, timeout: record.encode()
        )
    assert Path(settings.MAILBOX_KEY_FILE).stat().st_mode & 0o77 == 0


def test_it_says_why_an_answer_was_not_taken(answered: PostOffice, client: Client) -> None:
    key = call_to_the_table()
    answered.refused[ANSWER_TO] = "550 5.1.1 There is no such address"
    page = client.post(reverse("mailbox_mail", args=(key,)), {"text": "C4-D1"})
    assert page.status_code == 422
    assert "not taken in: 550 5.1.1 There is no such address" in page.content.decode()
    assert "C4-D1</textarea>" in page.content.decode()


def test_it_says_that_nobody_takes_answers(answered: PostOffice, client: Client, settings: Settings) -> None:
    key = call_to_the_table()
    settings.REPLY_LISTEN = f"lmtp://{settings.MAILBOX_DIR}/nobody"
    page = client.post(reverse("mailbox_mail", args=(key,)), {"text": "C4-D1"})
    assert page.status_code == 422
    assert "not taken in: FileNotFoundError" in page.content.decode()


@pytest.mark.parametrize("case", ["no text", "no address", "nobody listens", "a real site"])
def test_it_answers_no_mail_that_takes_none(
    case: str, answered: PostOffice, client: Client, settings: Settings
) -> None:
    key = send() if case == "no address" else call_to_the_table()
    settings.REPLY_LISTEN = "" if case == "nobody listens" else settings.REPLY_LISTEN
    settings.DEBUG = case != "a real site"
    shown = client.get(reverse("mailbox_mail", args=(key,))).content.decode()
    page = client.post(reverse("mailbox_mail", args=(key,)), {"text": "" if case == "no text" else "C4-D1"})
    assert page.status_code != 303
    assert ("<textarea" in shown) == (case == "no text")
    assert answered.mails == []
