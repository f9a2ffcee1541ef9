"""What people, scanners and broken programs send: texts, bodies and forms that nobody has asked for."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, quote_from_bytes, urlencode

from tests.elements import Element, parse
from tests.faults.browser import FORM

MARK = "<zz onload=1>"
"""Markup that must never come back as markup."""
TEXTS = (
    "",
    " ",
    "\x00",
    "alice\x00",
    MARK,
    f"\"'>{MARK}",
    f"</script>{MARK}",
    f"javascript:alert('{MARK}')",
    "' OR 1=1 --",
    '"; DROP TABLE games_game; --',
    "%s%n%(name)s{0}{{ 7|add:7 }}",
    "\r\nSet-Cookie: a=b\r\n\r\n",
    "//evil.example/",
    "https://evil.example/",
    "../../../../etc/passwd",
    "-1",
    "0",
    "1.5",
    "1e309",
    "NaN",
    "٣",
    "²",
    "9" * 19,
    "9" * 400,
    "1" * 5000,
    "true",
    "None",
    "[]",
    "a" * 70_000,
    "ﷺ" * 61,
    "😀" * 61,
    "\u202eevil\u2028\ufeff\u0000",
    "computer\u3164\u115f\u1160\uffa0",
    "\u200b\u2060\u00ad\ufeff\u200f",
    "İıſ",
    "e\u0301" * 40,
    "C4-D1",
    "c4-d1=" + "A1," * 12,
    "C4-D1=" + "A1," * 3000,
    "alice@example.com",
    "alice@example.com\nBcc: mallory@example.com",
    f"{MARK}@example.com",
    "a@" + "b." * 120 + "example",
    "red",
)
BYTES = (b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf", b"%", b"%zz", b"%00", b"%C0%80", b"a=%ff&=&&==", b"&" * 2000)


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page that is sent by POST."""

    page: str
    action: str
    fields: tuple[tuple[str, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _value in self.fields)


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent in place of a form."""

    content: bytes
    content_type: str = FORM


class Noise:
    """A stream of nonsense, the same for the same seed."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)

    def text(self) -> str:
        """Something known to hurt or, half of the time, letters from anywhere."""
        if self.rng.random() < 0.6:
            return self.rng.choice(TEXTS)
        return "".join(self._letter() for _place in range(self.rng.choice((1, 3, 30, 300))))

    def _letter(self) -> str:
        number = self.rng.choice((self.rng.randrange(128), self.rng.randrange(0x300), self.rng.randrange(0x110000)))
        return chr(number) if not 0xD800 <= number < 0xE000 else "?"

    def segment(self) -> str:
        """A part of an address, encoded so that it can be sent at all."""
        if self.rng.random() < 0.2:
            return quote_from_bytes(self.rng.choice(BYTES), safe="%")
        return quote(self.text()[:2000], safe="")

    def header(self) -> str:
        """The value of a header as a server hands it on: bytes as letters, no ends of lines."""
        return "".join(self.text()[:2000].split("\x00")).replace("\r", "").replace("\n", "").encode().decode("latin-1")

    def query(self, names: Sequence[str]) -> str:
        """What may stand behind a question mark, some of it under names that a page reads."""
        if self.rng.random() < 0.1:
            return quote_from_bytes(self.rng.choice(BYTES), safe="%&=")
        chosen = [self.rng.choice([*names, self.text()[:20]]) for _pair in range(self.rng.randrange(1, 4))]
        return urlencode([(name, self.text()[:2000]) for name in chosen])

    def bodies(self, form: Form, *, count: int) -> Iterator[Body]:
        """What may come in place of `form`: in each of its fields (or a dozen) once something else, then anything."""
        for name in self.rng.sample(form.names, min(12, len(form.names))):
            yield Body(urlencode([(n, self.text() if n == name else value) for n, value in form.fields]).encode())
        for _body in range(count):
            yield self.rng.choice((self._garbled, self._torn, self._files, self._raw))(form)

    def _garbled(self, form: Form) -> Body:
        return Body(urlencode([(name, self.text()) for name in form.names]).encode())

    def _torn(self, form: Form) -> Body:
        """Fields missing, fields twice, fields of nobody."""
        fields = [pair for pair in [*form.fields, *form.fields] if self.rng.random() < 0.5]
        self.rng.shuffle(fields)
        return Body(urlencode([*fields, (self.text()[:50], self.text())]).encode())

    def _files(self, form: Form) -> Body:
        """Files where texts belong, in a multipart body that may end too soon."""
        parts = "".join(
            f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="a.txt"\r\n\r\n{self.text()[:99]}\r\n'
            for name in form.names
        )
        end = self.rng.choice(("--b--\r\n", "--b", ""))
        kind = self.rng.choice(("multipart/form-data; boundary=b", "multipart/form-data", "multipart/mixed"))
        return Body((parts + end).encode(), kind)

    def _raw(self, form: Form) -> Body:
        """Bytes of any kind under any label."""
        charsets = ("latin-1", "utf-16", "none")
        kinds = (FORM, "application/json", "text/plain", "", "\x01", *(f"{FORM}; charset={name}" for name in charsets))
        content = self.rng.choice((*BYTES, b'{"ply": 0}', b"[", self.rng.randbytes(50), b"&a=1" * 1500))
        return Body("&".join(f"{name}=" for name in form.names).encode() + content, self.rng.choice(kinds))


def forms_on(html: str, page: str) -> list[Form]:
    """The forms of a page that are sent by POST, with their fields as they stand there."""
    tree = parse(html)
    forms = [form for form in tree.select("form") if (form.get("method") or "").lower() == "post"]
    return [Form(page, form.get("action") or page, tuple(_fields(form, tree))) for form in forms]


def _fields(form: Element, page: Element) -> Iterator[tuple[str, str]]:
    """Those in it that name no other form, and those elsewhere that name it."""
    own = [field for field in form.select("input, select, textarea, button") if not field.has_attr("form")]
    for field in [*own, *(page.select(f'[form="{form["id"]}"]') if form.has_attr("id") else [])]:
        if name := field.get("name"):
            yield name, field.get("value") or ""
