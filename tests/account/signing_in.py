"""What a person who signs up or in does: fill in forms, read the mail, type the code."""

from __future__ import annotations

import re
from typing import Any

from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from tests.cast import PASSWORD
from tests.elements import Element, parse

CODE = re.compile(r"^ {4}(\S+)$", re.MULTILINE)


def code_in(mail: EmailMessage) -> str:
    """The code that stands alone on a line of the mail."""
    [code] = CODE.findall(str(mail.body))
    return str(code)


def sign_up(client: Client, **changes: str) -> Any:
    """The answer to bob's sign-up form, differing from it by `changes`."""
    form = {"email": "bob@example.com", "username": "bob", "password1": PASSWORD}
    return client.post(reverse("account_signup"), form | changes)


def enter_code(client: Client, code: str, *, page: str = "account_email_verification_sent") -> Any:
    return client.post(reverse(page), {"code": code})


def sign_in(client: Client, login: str, password: str = PASSWORD, **more: str) -> Any:
    return client.post(reverse("account_login"), {"login": login, "password": password} | more)


def who(client: Client) -> str | None:
    """The number of the player who is signed in."""
    return client.session.get("_auth_user_id")


def soup(response: Any) -> Element:
    return parse(response.content)


def words(response: Any) -> str:
    """What the main part of a page says."""
    main = soup(response).select_one("main")
    assert main
    return main.get_text(" ", strip=True)


def submit(client: Client, response: Any, *, form: int = 0, **values: str) -> Any:
    """Send a form of the page's main part as a browser would: hidden fields and all, with `values` filled in."""
    main = soup(response).select_one("main")
    assert main
    found = main.select("form")[form]
    hidden = {field["name"]: field["value"] for field in found.select("input[type=hidden]") if field.get("value")}
    return client.post(str(found["action"]), hidden | values)
