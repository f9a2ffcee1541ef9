"""Calls of webhooks: what is owed to which, whether it is still worth a call, what it says and how it gets there.

They are owed in the database like mails (design 3.1), and never made in a request. Where they go is for strangers to
say, so `games.hooks.wire` is careful where it goes.
"""

from games.hooks.delivery import sweep
from games.hooks.invariants import faults
from games.hooks.owed import forget_old, owe, owe_invitation, owe_invitations, owe_season_mails
from games.hooks.player_actions import (
    MOST_BROWSERS,
    MOST_HOOKS,
    SAME_CLICK,
    HookError,
    KnownAlready,
    TooMany,
    add_browser,
    add_hook,
    remove_hook,
    rename_browser,
    switch_hook,
)
from games.hooks.push import NoPush, new_key as new_push_key, public_key as push_public_key
from games.hooks.trial_call import TEST_PAUSE, TooSoon, make_tests, request_test, waits_for_test
from games.hooks.wire import Refused
