"""What is asked of the site when worlds are compared: every address, with what may stand behind a question mark, and
what may be posted to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from games import rules
from games.models import Game, Player
from tests.faults.addresses import Samples, routes
from tests.faults.scenery import Scenery
from tests.faults.worlds import Ask

QUERIES = {
    "home": ("list=open", "list=tables", "list=waiting", "list=free", "list=tables&at=before-1", "list=cards"),
    "archive": (
        "mine=1",
        "at=after-1-1",
        *(f"clan={clan}&order=points" for clan in rules.CLANS),
        "tie=no&order=closest",
        "margin_to=900&moves_to=60",
        "talk=yes",
        "opening=A1-A2",
        "mine=1&clan=red&talk=yes",
    ),
    "archive_feed": (*(f"clan={clan}" for clan in rules.CLANS), "winner=alice", "talk=yes", "margin_to=900"),
    "archive_statistics": ("players=people",),
    "watch": ("at=after-1-1", "at=before-1-1"),
    "small_board": ("white", "names"),
    "next_table": ("after=unknown",),
    "new_table": ("against=computer", "guest=bob"),
    "answer_reminder": ("say=tonight", "say=day", "say=red"),
    "rules": ("try=two-epochs&move=B3", "try=two-epochs&move=B3-B5", "try=two-epochs&move=B3-B5&part=1", "try=cards"),
    "admin:games_game_changelist": (
        "o=-3.2",
        "p=1",
        "q=alice",
        "q=words",
        "q=red",
        "status__exact=running",
        "is_public__exact=0&_facets=True",
        "seats__entropy__contains=words",
        "seats__entropy__startswith=secret+words+1",
        "seats__share__startswith=a",
        "deal__seed__isnull=False",
        "deal__salts__contains=a",
        "deal__commitment__gt=8",
        "seats__clan=red",
        "seats__clan__exact=red",
        "seats__clan__in=red,blue",
    ),
    "admin:games_notice_changelist": (
        "q=alice",
        "q=red",
        "o=1.2",
        "state__exact=due",
        "seat__entropy__contains=1",
        "seat__clan=red",
    ),
    "admin:games_player_changelist": ("q=alice", "o=2", "seats__clan=red"),
    "admin:account_emailaddress_changelist": ("q=alice", "user__seats__clan=red"),
    "admin:mfa_authenticator_changelist": ("user__seats__clan=red",),
    "admin:auth_group_changelist": ("user__seats__clan=red",),
    "admin:autocomplete": ("app_label=games&model_name=seat&field_name=game&term=red",),
}
"""What may stand behind the question mark, by name of the address; the bare address is always asked."""


def every_address(scenery: Scenery, *, urlconf: str | None = None) -> list[Ask]:
    """A GET of every address, with everything in it that there is."""
    samples = Samples(scenery)
    return [
        Ask(f"{path}?{query}" if query else path)
        for route in routes(urlconf)
        for path in samples.paths(route)
        for query in ("", *QUERIES.get(route.name, ()))
    ]


def every_draft(scenery: Scenery) -> Iterator[Ask]:
    """Moves that are being thought about, at every table that runs: begun, complete, founding, against the rules; lines
    that are tried out; and the picture of each as it stands."""
    for game in running(scenery):
        legal = rules.legal_moves(game.position())[-1]
        move = founding_move(game.position()) or legal
        for draft in (f"from={legal.origin}", f"from={move.origin}&to={move.target}", "move=A1-A1"):
            yield Ask(f"{game.get_absolute_url()}?{draft}")
        for tried in (f"line={move}", f"line={move},A1-L5", f"from={legal.origin}"):
            yield Ask(f"{game.get_absolute_url()}ply/{game.ply}/try/?{tried}")
        yield Ask(f"{game.get_absolute_url()}ply/{game.ply}.png")


def founding_move(position: rules.Position) -> rules.Move | None:
    """A move of the position that founds a village, if there is one."""
    moves = (move for move in rules.legal_moves(position) if not rules.founding_orders(position, move))
    return next((move for move in moves if rules.play(position, move).villages), None)


def every_form(scenery: Scenery, *, urlconf: str | None = None) -> Iterator[Ask]:
    """An empty form to every address outside the admin, and to tables what belongs there, right and wrong."""
    samples = Samples(scenery)
    for route in routes(urlconf):
        if not route.name.startswith("admin:"):
            yield Ask(samples.paths(route)[0], {})
    yield from _forms_of_mail(scenery)
    for game in scenery.games.values():
        if not game.is_over:
            yield from _forms_of(game)


def _forms_of_mail(scenery: Scenery) -> Iterator[Ask]:
    """What players wish of their mail and their time, right and wrong."""
    slug = scenery.games["running"].slug
    wishes = {
        "mail_mode": "digest",
        "mail_text": "full",
        "digest_hours": "7",
        "quiet_from": "22:00",
        "quiet_until": "07:00",
        "days_off": "6",
    }
    yield Ask(reverse("mail_preferences"), wishes | {f"table-{slug}": "nothing"})
    yield Ask(reverse("mail_preferences"), wishes | {f"table-{slug}": "red"})
    for mode in ("once", "red"):
        yield Ask(reverse("table_mail", args=(slug,)), {"mode": mode})
    for last in ("2026-04-02", "2027-04-02"):
        yield Ask(reverse("vacation"), {"first": "2026-03-30", "last": last})
    yield Ask(reverse("end_vacation"), {"vacation": "1"})


def _forms_of(game: Game) -> Iterator[Ask]:
    for form in ({}, {"sure": "yes"}):
        yield Ask(reverse("close", args=(game.slug,)), form)
    for verb in ("leave", "start", "resign", "nudge", "come_back", "withdraw_autopilot"):
        yield Ask(reverse(verb, args=(game.slug,)), {})
    yield Ask(reverse("resign", args=(game.slug,)), {"sure": "yes"})
    for agrees in ("yes", "no"):
        yield Ask(reverse("abandon", args=(game.slug,)), {"agrees": agrees})
    for say in ("tonight", "thinking", "day", "red"):
        yield Ask(reverse("answer_reminder", args=(game.slug,)), {"say": say, "turn": f"{game.edition}-{game.ply}-0"})
    yield Ask(reverse("seen", args=(game.slug,)), {"ply": str(game.ply)})
    yield Ask(reverse("take_back", args=(game.slug,)), {"ply": str(game.ply), "made_for": str(game.edition)})
    yield Ask(reverse("ready", args=(game.slug,)), {"chance": "0" * 32})
    yield Ask(reverse("join", args=(game.slug,)), {"words": "mine", "chance": "0" * 32})
    for page in ({"text": "mine"}, {"mark": "0-red-suspected"}, {"mark": "1-blue-excluded", "text": ""}, {"mark": "9"}):
        yield Ask(reverse("notebook", args=(game.slug,)), {"seen": "", **page})
    for form in _moves_of(game):
        yield Ask(reverse("move", args=(game.slug,)), form)
        among = {"table": game.slug, f"{game.slug}-ply": form["ply"], f"{game.slug}-written": form.get("move", "")}
        yield Ask(reverse("all_turns"), among)
        yield Ask(reverse("all_turns"), among | {"sure": "yes"})


def _moves_of(game: Game) -> Iterator[dict[str, str]]:
    """A sound move, one that comes late, one against the rules, and some that are none."""
    if game.status != Game.Status.RUNNING:
        return
    move = str(rules.legal_moves(game.position())[-1])
    for ply in (game.ply, game.ply - 1):
        yield {"ply": str(ply), "move": move}
    yield {"ply": str(game.ply), "move": "A1-L5"}
    yield {"ply": str(game.ply), "move": move, "order": "A1,A1"}
    yield {"ply": "x"}


def admin_forms(scenery: Scenery) -> Iterator[Ask]:
    """What the operator may change, and what he may not."""
    for game in scenery.games.values():
        inlines = {f"{inline}-{part}_FORMS": "0" for inline in ("seats", "moves") for part in ("TOTAL", "INITIAL")}
        page = reverse("admin:games_game_change", args=(game.pk,))
        yield Ask(page, {"name": "Another name", "is_public": "on", **inlines})
        yield Ask(page, {"name": "", "status": "finished", **inlines})
        yield Ask(reverse("admin:games_game_delete", args=(game.pk,)), {"post": "yes"})
    for player in Player.objects.all():
        yield Ask(reverse("admin:games_player_change", args=(player.pk,)), {"time_zone": "nowhere"})
    action = {"action": "delete_selected", "_selected_action": str(scenery.games["running"].pk), "post": "yes"}
    yield Ask(reverse("admin:games_game_changelist"), action)


def running(scenery: Scenery) -> list[Game]:
    return [game for game in scenery.games.values() if game.status == Game.Status.RUNNING]
