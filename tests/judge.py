"""Which tests wait for `make judge`; all others are `make test` (docs/tests.md tells what each proves). Which
begin first, and which keep together."""

from __future__ import annotations

from typing import Final

JUDGED: Final = (
    "tests/account/test_same_work.py::test_its_costs_tell_nothing",
    "tests/api/test_description.py::test_it_answers_5000_inputs_as_described",
    "tests/bots/test_chances.py::test_it_hides_its_card",
    "tests/bots/test_chances.py::test_it_loses_little_by_hiding",
    "tests/bots/test_lookahead.py::test_it_clearly_beats_random_play",
    "tests/browser/test_archive.py",
    "tests/browser/test_autoplay.py",
    "tests/browser/test_circle.py",
    "tests/browser/test_every_page.py::test_it_has_room_for_a_name_without_blanks",
    "tests/browser/test_every_page.py::test_it_has_room_for_long_names_in_games_that_are_over",
    "tests/browser/test_every_page.py::test_it_looks_well_everywhere",
    "tests/browser/test_fingers.py",
    "tests/browser/test_finished_game.py",
    "tests/browser/test_first_screens.py::test_every_page_with_a_board_shows_it_at_once",
    "tests/browser/test_first_screens.py::test_one_thumb_steps_through_a_replay_without_moving",
    "tests/browser/test_from_mails.py",
    "tests/browser/test_going.py",
    "tests/browser/test_handed_on.py",
    "tests/browser/test_hands.py",
    "tests/browser/test_invitations.py",
    "tests/browser/test_looking.py",
    "tests/browser/test_mails.py",
    "tests/browser/test_notebook.py",
    "tests/browser/test_one_hand.py::test_it_shows_them_in_every_state",
    "tests/browser/test_passkeys.py",
    "tests/browser/test_phone.py",
    "tests/browser/test_presence.py",
    "tests/browser/test_reading.py",
    "tests/browser/test_small_boards.py",
    "tests/browser/test_talk.py",
    "tests/browser/test_teaching.py",
    "tests/browser/test_waiting.py",
    "tests/browser/test_webkit.py",
    "tests/browser/test_whole_game.py",
    "tests/faults/test_broker_faults.py",
    "tests/faults/test_chat.py",
    "tests/faults/test_crawl.py",
    "tests/faults/test_database_away.py",
    "tests/faults/test_fuzz.py::test_it_survives_21000_inputs",
    "tests/faults/test_late_movers.py::test_it_lets_one_of_them_move[1]",
    "tests/faults/test_late_movers.py::test_it_lets_one_of_them_move[2]",
    "tests/faults/test_late_movers.py::test_it_lets_one_of_them_move[3]",
    "tests/faults/test_names.py",
    "tests/faults/test_read_only_database.py",
    "tests/faults/test_slow_clients.py::test_a_very_large_form_leaves_nothing_on_the_disk_behind_a_proxy",
    "tests/faults/test_slow_clients.py::test_slow_clients_hold_nobody_up_with_and_without_a_proxy",
    "tests/faults/test_torture.py",
    "tests/faults/test_two_worlds.py::test_it_answers_every_form_the_same_in_all_worlds",
    "tests/faults/test_two_worlds.py::test_it_shows_every_page_the_same_in_all_worlds[alice]",
    "tests/faults/test_two_worlds.py::test_it_shows_every_page_the_same_in_all_worlds[carol]",
    "tests/faults/test_two_worlds.py::test_it_shows_every_page_the_same_in_all_worlds[mallory]",
    "tests/faults/test_two_worlds.py::test_it_shows_every_page_the_same_in_all_worlds[warden]",
    "tests/hooks/test_whole_way.py",
    "tests/importing/test_on_postgresql.py",
    "tests/inbox/test_20000_mails.py",
    "tests/inbox/test_costly.py::test_all_cost_little",
    "tests/inbox/test_flood.py::test_an_answer_is_handled_before_mails_that_have_waited_longer[redis]",
    "tests/inbox/test_hostile.py::test_1000_hostile_mails_move_nothing",
    "tests/inbox/test_hostile.py::test_no_mail_of_its_player_is_too_much",
    "tests/inbox/test_kills.py",
    "tests/inbox/test_mail_clients.py",
    "tests/inbox/test_polling.py",
    "tests/inbox/test_receive_mail.py",
    "tests/inbox/test_worlds.py::test_the_same_mails_get_the_same_answers[17]",
    "tests/league/test_draw.py::test_500_people_are_drawn_soon[3]",
    "tests/league/test_draw.py::test_500_people_are_drawn_soon[4]",
    "tests/look/test_html.py",
    "tests/mail/test_fault_matrix.py",
    "tests/mail/test_many_senders.py",
    "tests/mail/test_three_weeks.py",
    "tests/mail/test_worlds.py::test_it_shows_the_cards_once_the_game_is_over",
    "tests/mail/test_worlds.py::test_it_writes_the_same_mails_whoever_holds_which_card[20-texts2]",
    "tests/mapgen/test_making.py::test_it_makes_the_same_bytes_again_from_the_seed_of_the_map",
    "tests/models/test_grows.py",
    "tests/models/test_migrations.py::test_a_site_of_before_comes_up_to_date",
    "tests/models/test_old_mail.py",
    "tests/models/test_search_on_postgresql.py",
    "tests/pages/test_flood.py::test_10000_practice_games_from_one_address_are_300_rows",
    "tests/play/test_bot_turns.py::test_it_gives_no_hint_at_the_card_of_a_person",
    "tests/play/test_seasons.py::test_a_season_of_50_people_comes_to_its_end",
    "tests/rules/test_random_play.py::test_it_keeps_the_invariants_in_random_games",
    "tests/tooling/test_run.py::test_it_leaves_no_process_behind",
    "tests/tooling/test_what_runs_where.py::test_one_process_runs_what_keeps_together",
    "tests/tooling/test_what_runs_where.py::test_the_longest_begin_first",
)
"""Files, single tests of files, and single cases of tests."""


LONGEST: Final = (
    "tests/account/test_same_work.py::test_its_costs_tell_nothing",
    "tests/bots/test_chances.py::test_it_hides_its_card",
    "tests/bots/test_chances.py::test_it_loses_little_by_hiding",
    "tests/browser/test_small_boards.py",
    "tests/browser/test_whole_game.py",
    "tests/faults/test_fuzz.py::test_it_survives_21000_inputs",
    "tests/faults/test_slow_clients.py::test_a_few_slow_clients_hold_nobody_up",
    "tests/faults/test_slow_clients.py::test_slow_clients_hold_nobody_up_with_and_without_a_proxy",
    "tests/inbox/test_20000_mails.py",
    "tests/inbox/test_mail_clients.py",
    "tests/inbox/test_polling.py",
    "tests/look/test_every_page.py",
    "tests/models/test_grows.py",
    "tests/play/test_bot_turns.py::test_it_gives_no_hint_at_the_card_of_a_person",
)
"""What begins first, so that no process is left alone with it at the end."""


TOGETHER: Final = (
    "tests/api/test_two_worlds.py",
    "tests/browser/test_all_turns.py",
    "tests/browser/test_archive.py",
    "tests/browser/test_autoplay.py",
    "tests/browser/test_choosing.py",
    "tests/browser/test_every_page.py::test_it_looks_well_everywhere[mailbox",
    "tests/browser/test_fingers.py",
    "tests/browser/test_finished_game.py",
    "tests/browser/test_first_screens.py",
    "tests/browser/test_from_mails.py",
    "tests/browser/test_going.py",
    "tests/browser/test_handed_on.py",
    "tests/browser/test_mails.py",
    "tests/browser/test_minified.py",
    "tests/browser/test_one_hand.py",
    "tests/browser/test_passkeys.py",
    "tests/browser/test_phone.py",
    "tests/browser/test_presence.py",
    "tests/browser/test_press.py",
    "tests/browser/test_push.py",
    "tests/browser/test_reading.py",
    "tests/browser/test_waiting.py",
    "tests/faults/test_crawl.py",
    "tests/faults/test_fuzz.py",
    "tests/faults/test_lock.py",
    "tests/faults/test_malformed.py",
    "tests/faults/test_names.py",
    "tests/faults/test_notebooks.py",
    "tests/faults/test_permissions.py",
    "tests/faults/test_races.py",
    "tests/faults/test_slow_clients.py",
    "tests/faults/test_two_worlds.py",
    "tests/inbox/test_listening.py",
    "tests/inbox/test_polling.py",
    "tests/inbox/test_receive_mail.py",
    "tests/mail/test_letters.py",
    "tests/maps/test_second_map.py",
    "tests/models/test_search_on_postgresql.py",
    "tests/pages/test_demo.py",
    "tests/pages/test_headers.py",
    "tests/pictures/test_pictures.py",
    "tests/tooling/test_run.py",
)
"""How the names of tests begin that share something costly, such as a site, a browser or many tables: one process runs
them, after each other and early, or each would make it again. Slow clients, too: whoever waits for them leaves a core
idle, and two at a time would leave both."""


def is_judged(node: str) -> bool:
    """Whether the test of this node id waits for `make judge`."""
    return _is_among(JUDGED, node)


def begins_first(node: str) -> bool:
    """Whether the test of this node id is one of the longest, or one of many that keep together."""
    return _is_among(LONGEST, node) or group_of(node) != node


def group_of(node: str) -> str:
    """What the tests have in common that keep together with the one of this node id; else the id itself."""
    return next((beginning for beginning in TOGETHER if node.startswith(beginning)), node)


def _is_among(names: tuple[str, ...], node: str) -> bool:
    test = node.partition("[")[0]
    return not {node, test, test.partition("::")[0]}.isdisjoint(names)
