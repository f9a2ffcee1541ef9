"""Every address of the site, taken from the resolver itself: a page that is added later is tried from its first day.

An address with a parameter that has no sample here makes the tests fail that rest on this; so must a new one be given
one (`Samples`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern

from games import mail, rules
from games.api.showing import write_key
from games.mail.transport.mailbox import stored_mails
from games.models import ApiToken, Player, Season, Series, Webhook
from games.pages.player.feeds import feed_address
from games.pages.table.poll import VISITOR, poll_url
from tests.faults.scenery import Scenery

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
GROUP = re.compile(r"\(\?P<(\w+)>[^)]*\)")
ADMIN = re.compile(r"admin:(?P<app>[a-z]+)_(?P<model>[a-z]+)_(changelist|add|history|delete|change|password_change)")

Values = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Route:
    """One pattern of the resolver: its name, and its address with `<parameter>` in it."""

    name: str
    text: str

    @property
    def parameters(self) -> list[str]:
        return PARAMETER.findall(self.text)

    def path(self, values: Values) -> str:
        """The address with these values in it."""
        return PARAMETER.sub(lambda match: values[match[1]], self.text)


def routes(urlconf: str | None = None) -> list[Route]:
    """All patterns of the site, or of `urlconf`."""
    return list(_routes(get_resolver(urlconf), "/", ""))


def _routes(resolver: URLResolver, before: str, namespace: str) -> Iterator[Route]:
    for pattern in resolver.url_patterns:
        text = before + _text(pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, text, f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace)
        else:
            yield Route(f"{namespace}{pattern.name or ''}", text)


def _text(pattern: URLPattern | URLResolver) -> str:
    text = str(pattern.pattern)
    if isinstance(pattern.pattern, RegexPattern):
        return GROUP.sub(r"<\1>", text).strip("^$")
    return PARAMETER.sub(r"<\1>", text)


def _feeds(scenery: Scenery) -> list[str]:
    """The secret addresses of the players' feeds, without the site; all of them have one."""
    return [feed_address(player, "turns").split("/")[-2] for player in scenery.players.values() if player.feed_key]


def _keys_of_positions(scenery: Scenery) -> list[int]:
    """Where games stand that are over, or that run."""
    return [rules.position_key(scenery.games[name].position()) for name in ("finished", "running", "late")]


class Samples:
    """Values for every parameter of every route, from what stands in the scenery."""

    def __init__(self, scenery: Scenery, *, plies: Sequence[int] = (1, 8, 99)) -> None:
        self.scenery = scenery
        self.values = {
            "slug": [*scenery.slugs, "unknownxyz"],
            "series": [*Series.objects.order_by("pk").values_list("slug", flat=True), "unknownxyz"],
            "name": [*scenery.players, "ALICE", "nobody"],
            "ply": [str(ply) for ply in plies],
            "number": ["1", "99"],
            "edition": ["0", "7"],
            "token": [link.split("/")[-2] for link in scenery.stop_links()] + ["forged"],
            "season": [*Season.objects.order_by("pk").values_list("slug", flat=True), "unknownxyz"],
            "secret": [scenery.invitation, scenery.season_invitation, "forged"],
            "refusal": [mail.refuse_url("dora@example.com").split("/")[-2], "forged"],
            "feed": [*_feeds(scenery), "1-forged", "forged"],
            "hook": [str(pk) for pk in Webhook.objects.addresses().values_list("pk", flat=True)[:2]] + ["99999"],
            "browser": [str(pk) for pk in Webhook.objects.browsers().values_list("pk", flat=True)[:2]] + ["99999"],
            "reader": [poll_url("any", scenery.players["bob"]).split("/")[-2], VISITOR, "forged"],
            "api_token": [str(pk) for pk in ApiToken.objects.values_list("pk", flat=True)[:2]] + ["99999"],
            "board": [rules.STANDARD.board.id, "unknown"],
            "rules": [str(rules.STANDARD.version.number), "99"],
            "position": [*map(write_key, _keys_of_positions(scenery)), "0123456789abcdef", "forged"],
            "key": [mail.key for mail in itertools.islice(stored_mails(), 3)] + ["unknown"],
            "file": ["games-0001-0123456789abcdef.jsonl.gz", "manifest"],
            "pk": ["1"],
            "id": [str(pk) for pk in Player.objects.values_list("pk", flat=True)],
            "app_label": ["games", "account"],
            "url": ["unknown/"],
        }

    def paths(self, route: Route) -> list[str]:
        """The addresses of `route` that are to be tried. Raises KeyError for a parameter that has no sample."""
        return list(dict.fromkeys(route.path(values) for values in self._values(route)))

    def _values(self, route: Route) -> Iterator[Values]:
        if "content_type_id" in route.parameters:
            yield from ({"content_type_id": str(kind), "object_id": str(pk)} for kind, pk in self._things())
        elif "object_id" in route.parameters:
            yield from ({"object_id": key} for key in self._keys(route))
        else:
            names = route.parameters
            yield from (dict(zip(names, some, strict=True)) for some in itertools.product(*map(self._named, names)))

    def _named(self, parameter: str) -> list[str]:
        if parameter not in self.values:
            raise KeyError(f"no sample for <{parameter}>: give it one in {__name__}.Samples")
        return self.values[parameter]

    def _keys(self, route: Route) -> list[str]:
        """Keys of rows that the admin page shows; of tables all of them, of other things a few."""
        match = ADMIN.fullmatch(route.name)
        model: type[Model] = apps.get_model(match["app"], match["model"]) if match else Player
        keys = [str(pk) for pk in model._default_manager.order_by("pk").values_list("pk", flat=True)]
        shown = keys if model._meta.model_name in {"game", "player"} else keys[::20]
        return [*shown, "99999"]

    def _things(self) -> Iterator[tuple[int, Any]]:
        for game in self.scenery.games.values():
            yield ContentType.objects.get_for_model(game).pk, game.pk
