"""The limits of games/limits.py are those that count, and those that docs/operating.md lists."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from allauth.account import app_settings
from allauth.core.internal.ratelimit import parse_rates
from allauth.mfa import app_settings as mfa_settings
from django.conf import settings

from games import hooks, play
from games.limits import (
    COUNTED_BY_ALLAUTH,
    INVITATIONS,
    LIMITS,
    NUDGES,
    TEST_MAILS,
    UNANSWERED,
    WEBHOOK_TESTS,
    Rate,
    list_limits,
)
from games.mail import player_actions
from games.pages.lists.guests import GuestsField
from games.pages.table.invited import InviteForm
from games.words.spans import say_span

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/operating.md"
GAMES = ROOT / "games"
USED = re.compile(r"\b([A-Z_]+)\.rates\b|\brefused\(\s*([A-Z_]+)")


def test_operating_lists_every_limit() -> None:
    """`python -m games.limits` prints the list that belongs there."""
    [section] = re.findall(r"^## Limits\n(.*?)^## ", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert list_limits() in section


def test_allauth_counts_by_no_other_rates() -> None:
    declared = {limit.key for limit in COUNTED_BY_ALLAUTH}
    by_passkeys = mfa_settings.RATE_LIMITS
    assert by_passkeys == {"webauthn_login": app_settings.RATE_LIMITS["webauthn_login"]}
    used = {action for action, rates in app_settings.RATE_LIMITS.items() if rates}
    assert used - declared == {"change_phone", "verify_phone"}, "there are no phones here"
    for limit in COUNTED_BY_ALLAUTH:
        rates = parse_rates(app_settings.RATE_LIMITS[limit.key])
        assert [(rate.amount, rate.duration) for rate in rates] == [(rate.amount, rate.seconds) for rate in limit.rates]
    assert settings.ALLAUTH_TRUSTED_PROXY_COUNT == settings.TRUSTED_PROXIES


def test_each_limit_counts_somewhere_but_the_one_that_a_column_holds() -> None:
    """Whoever counts asks the list. That a move of the autopilot is withdrawn once is `Seat.has_withdrawn`."""
    sources = [path.read_text() for path in GAMES.rglob("*.py") if path.name != "limits.py"]
    used = {name.lower() for source in sources for found in USED.findall(source) for name in found if name}
    counted_here = {limit.key for limit in LIMITS} - {limit.key for limit in COUNTED_BY_ALLAUTH}
    assert used == counted_here - {"withdrawals"}


def test_what_the_rooms_go_by_is_what_is_listed() -> None:
    spans = {TEST_MAILS: player_actions.TEST_PAUSE, WEBHOOK_TESTS: hooks.TEST_PAUSE, NUDGES: play.BETWEEN_NUDGES}
    assert {limit: limit.rates for limit in spans} == {
        limit: (Rate(1, int(span.total_seconds()), limit.rates[0].per),) for limit, span in spans.items()
    }


def test_texts_about_invitations_say_what_holds() -> None:
    days = say_span(play.VALID_FOR)
    told = {
        "games/limits.py": UNANSWERED.what,
        "games/words/refusals.py": play.TooManyUnanswered.sentence,
        "games/pages/lists/guests.py": str(GuestsField().help_text),
        "games/pages/table/invited.py": str(InviteForm.base_fields["to"].help_text),
        "templates/games/invitation_unknown.html": (ROOT / "templates/games/invitation_unknown.html").read_text(),
    }
    assert {file for file, text in told.items() if days not in text} == set()
    a_day, in_all = INVITATIONS.rates
    assert f"{a_day.amount} invitations" in play.InvitesTooOften.sentence
    assert f"{in_all.amount} in {say_span(timedelta(seconds=in_all.seconds))}" in play.InvitesTooOften.sentence


def test_each_limit_has_a_name_of_its_own() -> None:
    assert len({limit.key for limit in LIMITS}) == len(LIMITS)
