"""Calls of webhooks: what is owed to which, whether it is still worth a call, what it says and how it gets there.

They are owed in the database like mails (design 2.5), and never made in a request but for the test that somebody asks
for. Where they go is for strangers to say, so `games.hooks.wire` is careful where it goes.
"""

from games.hooks.delivery import sweep
from games.hooks.invariants import faults
from games.hooks.owed import forget_old, owe
from games.hooks.upkeep import (
    MOST_HOOKS,
    SAME_CLICK,
    TEST_PAUSE,
    HookError,
    KnownAlready,
    TooMany,
    TooSoon,
    add_hook,
    remove_hook,
    switch_hook,
    test_hook,
)
from games.hooks.wire import Refused, read_target

__all__ = [
    "MOST_HOOKS",
    "SAME_CLICK",
    "TEST_PAUSE",
    "HookError",
    "KnownAlready",
    "Refused",
    "TooMany",
    "TooSoon",
    "add_hook",
    "faults",
    "forget_old",
    "owe",
    "read_target",
    "remove_hook",
    "sweep",
    "switch_hook",
    "test_hook",
]
