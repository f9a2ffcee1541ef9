"""Following links as a reader, a mail scanner or a search engine does: by GET and HEAD, everywhere."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import urldefrag, urlencode, urljoin, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponseBase

from tests.elements import Element, parse
from tests.faults import memory
from tests.faults.browser import Browser, body_of, has_failed

ALIKE = 2
"""So many addresses are tried that differ by numbers, or by what stands behind `=`, alone."""
OWN = ("http://testserver", settings.SITE_URL)
URL = re.compile(r"https?://[^\s<>\"]+")


@dataclass
class Crawl:
    """Where one visitor came by following links, and what was wrong on the way."""

    browser: Browser
    statuses: dict[str, int] = field(default_factory=dict)
    """By address, in the order of visits."""
    faults: list[str] = field(default_factory=list)
    """Links that lead nowhere, errors, and whatever a GET or HEAD has changed."""
    _waiting: deque[tuple[str, str]] = field(default_factory=deque)
    _shapes: Counter[str] = field(default_factory=Counter)

    def visit(self, addresses: Iterable[str]) -> None:
        """Go to each of these, no matter if it is there; ask for its head alone, too."""
        for address in addresses:
            self._go(address, found_on="")
            headed = self._ask("HEAD", address).status_code
            if (headed < 400) != (self.statuses[address] < 400):
                self.faults.append(f"HEAD {headed}, GET {self.statuses[address]}: {address}")

    def follow(self) -> None:
        """Follow all links found so far, and those on the pages that they lead to."""
        while self._waiting:
            address, page = self._waiting.popleft()
            if address not in self.statuses and self._is_new(address):
                self._go(address, found_on=page)

    def _is_new(self, address: str) -> bool:
        """Filters can be combined without end, so of combinations their number counts, not their names."""
        path, _mark, query = address.partition("?")
        names = [pair.partition("=")[0] for pair in query.split("&")]
        shape = re.sub(r"\d+", "0", path) + "?" + (names[0] if len(names) == 1 else str(len(names)))
        self._shapes[shape] += 1
        return self._shapes[shape] <= ALIKE

    def _go(self, address: str, *, found_on: str) -> None:
        response = self._ask("GET", address)
        self.statuses[address] = status = response.status_code
        if has_failed(response, address) or (status >= 400 and found_on):
            self.faults.append(f"{status}: {address} on {found_on or 'the list'}")
        if response.has_header("Location"):
            self._waiting.append((urljoin(address, response["Location"]), found_on))
        elif response.headers.get("Content-Type", "").startswith("text/html"):
            self._find_links(address, body_of(response).decode())

    def _ask(self, method: str, address: str) -> HttpResponseBase:
        with memory.writes() as written:
            response = self.browser.ask(method, address)
        self.faults += [f"{address} writes: {sql} {values}" for sql, values in written if "django_session" not in sql]
        return response

    def _find_links(self, address: str, html: str) -> None:
        for link in links_on(html, address):
            if link.startswith("/" + settings.STATIC_URL.lstrip("/")):
                self._check_file(link, address)
            else:
                self._waiting.append((link, address))

    def _check_file(self, link: str, page: str) -> None:
        if not _is_file(link):
            self.faults.append(f"no such file: {link} on {page}")


@cache
def _is_file(link: str) -> bool:
    """Whether there is the file of that address. All pages ask for the same ones."""
    return bool(finders.find(urlsplit(link).path.removeprefix(settings.STATIC_URL)))


def links_on(html: str, address: str) -> list[str]:
    """Addresses on this site that the page leads to, without the site: links, pictures, scripts, forms that are sent
    by GET."""
    targets = (urldefrag(urljoin(address, target)).url for target in dict.fromkeys(_targets(parse(html))))
    return [own for target in dict.fromkeys(targets) if (own := _own(target))]


def links_in(text: str) -> list[str]:
    """Addresses on this site in the text of a mail."""
    return [own for link in URL.findall(text) if (own := _own(link))]


def _targets(page: Element) -> Iterator[str]:
    """What a page refers to; of a form by GET the address with its fields as they stand there."""
    for element in page.select("[href], [src]"):
        yield from (element[name].strip() for name in ("href", "src") if element.has_attr(name))
    for form in page.select("form"):
        if (form.get("method") or "get").lower() == "get":
            fields = form.select("input[name], select[name]")
            yield f"{form.get('action', '')}?{urlencode([(field['name'], field.get('value', '')) for field in fields])}"


def _own(url: str) -> str:
    """The address without the site; empty for what is not ours, or is no page."""
    for site in OWN:
        url = url.removeprefix(site)
    return url if url.startswith("/") and not url.startswith("//") else ""
