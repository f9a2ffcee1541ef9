from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.cache import cache
from django.db import connection
from django.test import Client, override_settings
from django.utils import translation

from games.models import Game, Player
from tests.cast import make_game, make_player, play_random
from tests.database import Creation
from tests.made_once import scene


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """pytest-django asks for it before it makes the database."""
    if connection.vendor == "sqlite":
        connection.creation = Creation(connection)


@pytest.fixture(scope="session", autouse=True)
def _quick_hashes() -> Iterator[None]:
    """Passwords are hashed as always, only less often: a million rounds take half a second each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PBKDF2PasswordHasher, "iterations", 1)
        yield


@pytest.fixture(autouse=True)
def _nobody_has_asked() -> None:
    """Rate limits count in the cache: no test may pay for what another asked in the same minute, or draw it."""
    cache.clear()
    shutil.rmtree(settings.PICTURES_DIR / "wanted", ignore_errors=True)


@pytest.fixture(scope="module", autouse=True)
def _no_archive_files() -> None:
    """The database of a test goes when it ends; the files of the archive that another module has made would stay."""
    shutil.rmtree(settings.ARCHIVE_DIR, ignore_errors=True)


def _in_the_cast(name: str) -> Player:
    """Whom a scene has brought, or a new player."""
    return Player.objects.filter(username=name).first() or make_player(name)


@pytest.fixture
def alice(db: None) -> Player:
    return _in_the_cast("alice")


@pytest.fixture
def bob(db: None) -> Player:
    return _in_the_cast("bob")


@pytest.fixture
def carol(db: None) -> Player:
    return _in_the_cast("carol")


@pytest.fixture
def mallory(db: None) -> Player:
    """Signed in, but with no seat at anybody's table."""
    return make_player("mallory")


@pytest.fixture
def her(client: Client, alice: Player) -> Client:
    """alice's browser, signed in."""
    client.force_login(alice)
    return client


@pytest.fixture
def game(alice: Player, bob: Player, carol: Player) -> Game:
    """A running game of the three, nothing played yet."""
    return scene("game", lambda: make_game(alice, bob, carol))


@pytest.fixture
def mid(game: Game) -> Game:
    """The same after some moves."""
    return scene("mid", lambda: play_random(game, 14))


@pytest.fixture
def over(game: Game) -> Game:
    """A public game of alice, bob and carol that is over."""
    return scene("over", lambda: play_random(game))


@pytest.fixture
def one_language() -> Iterator[None]:
    """As on a site that has English alone: Django looks up no translations."""
    yield from _with_languages(("en", "English"))


@pytest.fixture
def two_languages() -> Iterator[None]:
    """As on a site that has a second language."""
    yield from _with_languages(("en", "English"), ("de", "Deutsch"))


def _with_languages(*languages: tuple[str, str]) -> Iterator[None]:
    with override_settings(LANGUAGES=languages, USE_I18N=len(languages) > 1):
        _choose_translations()
        yield
    _choose_translations()


def _choose_translations() -> None:
    """Let Django read USE_I18N again, which it does once in a process."""
    vars(translation._trans).clear()  # type: ignore[attr-defined]
