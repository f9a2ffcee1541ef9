"""What all tests share before Django reads its settings, which tests are for `make judge`, which ones a process runs
together, and the rule that CI skips nothing."""

import gc
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import nullcontext
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests import chance
from tests.database import one_at_a_time
from tests.judge import begins_first, group_of, is_judged

# Tests write neither into the developer's database nor into the queue of a running site.
VAR_DIR = Path(tempfile.mkdtemp(prefix="clans-tests-"))
os.environ["VAR_DIR"] = str(VAR_DIR)
# That of the process that has started the others, if there are several.
os.environ.setdefault("SHARED_DIR", str(VAR_DIR))
# Tests start sites for others, too, which refuse the key of a site that is being tried out.
os.environ["SECRET_KEY"] = "of-the-tests-" * 5
# Calls to the table wait for nobody, but in the tests that are about that.
os.environ["MAIL_WAIT_SECONDS"] = "0"
os.environ["MAIL_MOVE_WAIT_SECONDS"] = "0"
# WhiteNoise warns when there are no collected files, and warnings are errors.
(VAR_DIR / "static").mkdir()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # Each test begins with the random numbers of its stream: pytest-randomly would seed them by the run again, and
    # Hypothesis seeds its own by chance. The order of the tests depends on the same number.
    config.option.randomly_seed = int(chance.RUN)
    config.option.randomly_reset_seed = False
    config.option.hypothesis_seed = getattr(config.option, "hypothesis_seed", None) or chance.RUN


def pytest_sessionstart() -> None:
    chance.install()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    chance.CHANCE.restart(item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    shared = fixturedef.scope != "function"
    with chance.CHANCE.stream(f"{fixturedef.baseid}::{fixturedef.argname}") if shared else nullcontext():
        return (yield)


def pytest_unconfigure() -> None:
    shutil.rmtree(VAR_DIR, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In a new clone pytest rewrites the asserts of each file and keeps the result. Let one process do so, while the
    others wait for it."""
    with one_at_a_time(f"reading {collector.name}") if isinstance(collector, pytest.Module) else nullcontext():
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_judged(item.nodeid):
            item.add_marker(pytest.mark.judge)
    # In the drawn order otherwise.
    items.sort(key=lambda item: not begins_first(item.nodeid))


class Groups(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out groups of tests, and all others one by one, in the order of collection. Marks `xdist_group` would not
    do: what pytest-xdist 3.8 writes them into is no longer there in pytest 9.2, and it says nothing."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Groups:
    config.option.loadscopereorder = False
    return Groups(config, log)


def pytest_collection_finish() -> None:
    """Let the garbage collector leave alone what stays to the end, and look as seldom as on a server."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a skipped test is a failed one: what was not run was not shown."""
    report = yield
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and CI skips nothing: {report.longrepr}"
    return report
