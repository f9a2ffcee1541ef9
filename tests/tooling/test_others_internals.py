"""What other packages call internal may change with any of their releases: it is used here by name, or not at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest
from django.db.models.query import RelatedPopulator, get_related_populators

from games.models import Game

ROOT = Path(__file__).parents[2]

USED = {
    # Who signs in by name; whose session a row is; what a passkey's challenge waits under in the session.
    "allauth.account.internal.userkit": {"get_user_by_username"},
    "allauth.core.internal.sessionkit": {"get_session_user"},
    "allauth.mfa.webauthn.internal.auth": {"STATE_SESSION_KEY"},
    # How it counts, and from which address a request comes behind trusted proxies.
    "allauth.core.internal": {"ratelimit"},
    "allauth.core.internal.httpkit": {"get_client_ip"},
    # The link of a mail to an address without an account.
    "allauth.account.internal.flows.signup": {"get_signup_url"},
    # The sign-up that waits for its code.
    "allauth.account.internal.flows.email_verification_by_code": {"EmailVerificationProcess"},
}
"""By the site."""
USED_BY_TESTS = {
    # To sign in as an app and a sheet of paper would.
    "allauth.mfa.recovery_codes.internal.auth": {"RecoveryCodes"},
    "allauth.mfa.totp.internal.auth": {"TOTP", "format_hotp_value", "hotp_value", "yield_hotp_counters_from_time"},
    # The page for who asks too often.
    "allauth.core.internal.ratelimit": {"parse_rates", "respond_429"},
}

OF_DJANGOS_COMPILER = {"select", "klass_info", "annotation_col_map", "get_converters", "apply_converters"}
"""What `games.caching` reads of the compiler of a query, to make rows into models as Django's `ModelIterable` does."""
CHANGED = (
    "This Django has changed {}, which Prepared in games/caching.py reads. Compare `_read_models` with Django's"
    " ModelIterable, until the tests in tests/models/test_caching.py pass that say `that_django_would`."
)


def imports(*rooms: str) -> Iterator[tuple[str, str]]:
    """Module and name of each import from a module called internal, and of each such module imported whole."""
    for room in rooms:
        for source in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(source.read_text())):
                if isinstance(node, ast.ImportFrom):
                    yield from ((str(node.module), alias.name) for alias in node.names)
                elif isinstance(node, ast.Import):
                    yield from ((alias.name, "") for alias in node.names)


def internals(*rooms: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module, name in imports(*rooms):
        if "internal" in module.split("."):
            found.setdefault(module, set()).add(name)
    return found


def test_the_site_uses_what_is_named_here_alone() -> None:
    assert internals("games", "clans_site", "bench", "tools") == USED


def test_tests_use_what_is_named_here_alone() -> None:
    assert internals("tests") == USED_BY_TESTS


@pytest.mark.parametrize(("module", "names"), (USED | USED_BY_TESTS).items())
def test_it_is_still_there(module: str, names: set[str]) -> None:
    assert all(hasattr(import_module(module), name) for name in names)


def test_django_has_what_prepared_queries_read() -> None:
    """Whether they read it as Django does is what tests/models/test_caching.py compares."""
    compiler = Game.objects.select_related("deal").query.get_compiler("default")
    compiler.as_sql()
    for name in OF_DJANGOS_COMPILER:
        assert hasattr(compiler, name), CHANGED.format(f"the compiler's {name}")
    assert {"model", "select_fields"} <= set(compiler.klass_info), CHANGED.format("klass_info")
    assert [*signature(get_related_populators).parameters] == ["klass_info", "select", "db"], CHANGED.format(
        "get_related_populators"
    )
    assert [*signature(RelatedPopulator.populate).parameters] == ["self", "row", "from_obj"], CHANGED.format("populate")


def test_prepared_queries_alone_read_it() -> None:
    inner = OF_DJANGOS_COMPILER - {"select"}
    for room in ("games", "clans_site", "bench", "tools"):
        for source in (ROOT / room).rglob("*.py"):
            nodes = ast.walk(ast.parse(source.read_text()))
            read = {node.attr for node in nodes if isinstance(node, ast.Attribute)} & inner
            assert read == (inner if source == ROOT / "games/caching.py" else set()), source
