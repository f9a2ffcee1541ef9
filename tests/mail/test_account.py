"""Mails about an account look like the mails about games, and say in HTML what they say as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.test import Client

from games.mail import account_html, read_account_mail
from games.models import Player
from tests.cast import PASSWORD
from tests.elements import Element, parse

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(
    str(path.relative_to(ROOT / "templates"))
    for path in (ROOT / "templates").glob("*/email/*_message.txt")
    if path.stem != "base_message"
)

pytestmark = pytest.mark.django_db


def sent() -> tuple[str, Element]:
    """The text and the HTML of the last mail."""
    message = mail.outbox[-1]
    assert isinstance(message, EmailMultiAlternatives)
    [(html, kind)] = message.alternatives
    assert kind == "text/html"
    return str(message.body), parse(str(html))


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_code_stands_out_and_not_in_what_lists_show(client: Client, alice: Player) -> None:
    client.post("/accounts/login/code/", {"email": alice.email})
    text, html = sent()
    [code] = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    assert len(code) > 5
    assert code in [found.get_text() for found in html.select("p")]
    assert html.get_text().count(code) == 1
    assert [heading.get_text() for heading in html.select("h1, title")] == ["Your code", "Your code"]
    assert f"{code} is your code" in mail.outbox[-1].subject
    preheader = html.select_one("div")
    assert preheader is not None
    assert code not in preheader.get_text()
    said = words(html.get_text(" "))
    assert all(words(part) in said for part in text.partition("\n-- \n")[0].split("\n\n"))


def test_a_page_to_open_is_a_button(client: Client) -> None:
    client.post("/accounts/login/code/", {"email": "nobody@example.com"})
    text, html = sent()
    [button] = html.select(".button-link")
    assert str(button["href"]) in text.splitlines()
    assert str(button["href"]).endswith("/accounts/signup/")


def test_what_a_browser_calls_itself_is_no_html(client: Client, alice: Player) -> None:
    client.force_login(alice)
    new = "the-lake-is-deep-and-cold"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    client.post("/accounts/password/change/", form, headers={"user-agent": "<img src=x><b>Browser</b>"})
    text, html = sent()
    assert "<img src=x><b>Browser</b>" in text
    assert html.select("img, b") == []
    assert "<img src=x><b>Browser</b>" in html.get_text()


@pytest.mark.parametrize("template", TEMPLATES)
def test_text_and_html_of_each_mail_say_the_same(template: str) -> None:
    context = {
        "code": "ABCD-2345",
        "email": "o'hara@example.com",
        "password_reset_url": "http://localhost/?a=1&b=2",
        "signup_url": "http://localhost/?c=1&d=2",
        "user_agent": "<b>Browser</b>",
    }
    said = read_account_mail(template, context)
    assert said.lead
    assert said.rest
    assert bool(said.url) == bool(said.why)
    text = words(render_to_string(template, context | {"mail": said}))
    html = parse(account_html("The subject", said))
    shown = words(html.get_text(" "))
    for part in (said.lead, said.text, said.code, said.why, said.rest):
        assert words(part) in text
        assert words(part) in shown
    assert said.url in text
    assert [link["href"] for link in html.select(".button-link")] == [said.url][: bool(said.url)]
    assert any(named in text for named in (context["code"], "http://localhost/?", "<b>Browser</b>"))
