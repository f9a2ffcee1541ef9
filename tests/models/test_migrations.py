"""A new site begins with the squashed migration, a site of before goes through the files that it replaces."""

from __future__ import annotations

import sqlite3
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from games import play
from games.models import ArchiveStatistics
from tests.cast import AT
from tests.pages.searching import archived
from tests.servers import site

__all__ = ["archived"]

SQUASHED = ("games", "0001_squashed_0075")


def test_old_and_new_sites_get_the_same_tables() -> None:
    squashed = MigrationLoader(None).project_state(SQUASHED)
    one_by_one = MigrationLoader(None, replace_migrations=False).project_state(("games", "0075_search_by_upper_name"))
    assert changes(one_by_one, squashed) == changes(squashed, one_by_one) == {}


def test_a_difference_would_be_seen() -> None:
    """The detector's own answer for one step less."""
    squashed = MigrationLoader(None).project_state(SQUASHED)
    earlier = MigrationLoader(None, replace_migrations=False).project_state(("games", "0073_notification_words"))
    assert "games" in changes(earlier, squashed)


def test_a_site_of_before_comes_up_to_date(tmp_path: Path) -> None:
    with site(tmp_path, processes=()) as served:
        (tmp_path / "clans.sqlite3").unlink()
        served.python("-m", "tests.models.old_season")
        with sqlite3.connect(tmp_path / "clans.sqlite3") as database:
            assert database.execute("SELECT name, format FROM games_season").fetchall() == [("Club", "round-robin")]


@pytest.mark.django_db
@pytest.mark.usefixtures("archived")
def test_the_counts_of_choices_move_to_a_column_and_back() -> None:
    migration = import_module("games.migrations.0068_counts_of_choices")
    play.count_archive(at=AT)
    counted = ArchiveStatistics.objects.values("counts", "choices").get()
    migration.move_back(apps, None)
    ArchiveStatistics.objects.update(choices={})
    assert ArchiveStatistics.objects.get().counts["all"]["choices"] == counted["choices"] != {}
    migration.move_to_column(apps, None)
    assert ArchiveStatistics.objects.values("counts", "choices").get() == counted


def changes(old: ProjectState, new: ProjectState) -> dict[str, object]:
    """What migrations would have to do to lead from `old` to `new`."""
    return dict(MigrationAutodetector(old, new).changes(graph=MigrationLoader(None).graph))
