"""The description of the API: OpenAPI 3.1 for programs, and the same as a page for people."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import override
from django.views.decorators.http import require_safe

from games.api.operations import api
from games.api.problems import MEDIA_TYPE
from games.api.responses import with_etag
from games.limits import API_BY_TOKEN, API_WITHOUT_TOKEN

Shown = dict[str, Any]
"""Something of the description as its page shows it."""

JSON: Final = "application/json"
CODE: Final = re.compile("`([^`]*)`")
RECORD: Final = (
    ("format", "string", "`clans-record/1`."),
    ("board", "string", "The name of the map, which `/api/v1/boards/{board}/{rules}` has, with `version` of `rules`."),
    ("rules", "object", "`five_clans` (`score` or `nothing`) and `version`, the rules that the game is played by."),
    ("huts", "string", "The clan of the hut in each territory at the start, A1 first: `r` `b` `g` `y` `k` (black)."),
    ("players", "list", "In the order of seats: `name` and, once the game is over, `clan`."),
    ("first", "integer", "The seat that began, from 0."),
    ("moves", "list", "`from`, `to` and `villages`, those that were founded with a chip, in their order."),
    (
        "result",
        "object",
        "Once the game is over: its `end`, `scores` by clan, `chips` and `totals` by seat, and the seats of `winners`.",
    ),
    ("name", "string", "What the table is called."),
    ("times", "list", "When each move was made."),
    ("ended", "string", "When the game was over."),
    ("takeovers", "list", "Who took a seat over: `seat`, `name`, and `ply`, the moves played by then."),
    ("deal", "object", "What the cards were drawn from; once the game is over, everything to draw them again."),
)
"""The keys of a record, each with its type and its meaning, as docs/records.md has them."""


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(json.dumps(describe(), ensure_ascii=False), content_type=JSON)
    response["Cache-Control"] = "no-cache"
    return with_etag(request, response)


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The operations as a page, made from the same description."""
    about = {
        "paragraphs": [_with_code(paragraph) for paragraph in describe()["info"]["description"].split("\n\n")],
        "operations": [_show_operation(path, found["get"]) for path, found in describe()["paths"].items()],
        "answers": list_answers(),
        "record": [_show(name, kind, "", about) for name, kind, about in RECORD],
        "archive": settings.SITE_URL + reverse("api:v1:games"),
        "running": settings.SITE_URL + reverse("api:v1:running"),
        "limits": [(limit.what, rate.amount) for limit in (API_BY_TOKEN, API_WITHOUT_TOKEN) for rate in limit.rates],
    }
    return render(request, "games/api.html", about)


@cache
def describe() -> dict[str, Any]:
    """The description of the API as OpenAPI 3.1. It is in English, as the names in it are."""
    with override("en"):
        described: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=reverse("api:docs"))))
    described["servers"] = [{"url": settings.SITE_URL}]
    for operations in described["paths"].values():
        # What HEAD answers follows from GET.
        del operations["head"]
        # Whoever has no token calls without one.
        operations["get"]["security"].append({})
        for status, answer in operations["get"]["responses"].items():
            if int(status) >= HTTPStatus.BAD_REQUEST:
                answer["content"] = {MEDIA_TYPE: answer["content"][JSON]}
    return described


def _show_operation(path: str, operation: dict[str, Any]) -> Shown:
    """An operation: its address, what it is for, its parameters, and the name of what it answers."""
    return {
        "path": path,
        "name": operation["operationId"],
        "summary": operation["summary"],
        "about": _with_code(operation["description"]),
        "parameters": [_show_parameter(one) for one in operation["parameters"]],
        "answer": _name_type(operation["responses"]["200"]["content"][JSON]["schema"])[0],
    }


def list_answers() -> list[Shown]:
    """What is answered: its name, what it is, and its fields."""
    return [
        {
            "name": name,
            "about": _with_code(schema.get("description", "")),
            "fields": [
                _show(field, *_name_type(about), about.get("description", ""))
                for field, about in schema["properties"].items()
            ],
        }
        for name, schema in describe()["components"]["schemas"].items()
    ]


def _show_parameter(one: dict[str, Any]) -> Shown:
    described = one.get("description", "").rstrip(".")
    about = (described and f"{described}.", _say_bounds(one["schema"]))
    return _show(one["name"], *_name_type(one["schema"]), " ".join(filter(None, about)))


def _say_bounds(schema: dict[str, Any]) -> str:
    """What a value may be besides its type, and what counts where none is given: `1 to 100; 20 if not given.`"""
    said = []
    match schema:
        case {"minimum": least, "maximum": most}:
            said.append(f"{least} to {most}")
        case {"minimum": least}:
            said.append(f"At least {least}")
        case {"maxLength": most}:
            said.append(f"At most {most} letters")
    if schema.get("default", "") != "":
        said.append(f"`{str(schema['default']).lower()}` if not given")
    return f"{'; '.join(said)}." if said else ""


def _show(name: str, kind: str, link: str, about: str) -> Shown:
    """A parameter or a field: its name, its type, the answer that this leads to (empty: none), and what it says."""
    return {"name": name, "kind": kind, "link": link, "about": _with_code(about)}


def _with_code(text: str) -> SafeString:
    """As HTML, with what stands between backticks as code."""
    return SafeString(CODE.sub(r"<code>\1</code>", escape(text, quote=False)))


def _name_type(schema: dict[str, Any]) -> tuple[str, str]:
    """How a type reads on the page, and the answer that it leads to, if any."""
    match schema:
        case {"$ref": ref}:
            name = ref.rpartition("/")[2]
            return name, name
        case {"anyOf": parts}:
            named = [_name_type(part) for part in parts]
            return " or ".join(name for name, _link in named), "".join(link for _name, link in named)
        case {"enum": values}:
            return ", ".join(value for value in values if value), ""
        case {"const": value}:
            return str(value), ""
        case {"type": "array", "items": items}:
            name, link = _name_type(items)
            return f"list of {name}", link
        case {"type": "string", "format": kind}:
            return kind, ""
        case {"type": kind}:
            return kind, ""
    return "any", ""
