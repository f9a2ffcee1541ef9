"""The sentences about games, times, spans, paces and errors that pages and mails share, so that they say the same thing
in the same words. What one page or one kind of mail alone says stands there. All is plain text; what stands here needs
models, pov, rules and clocks alone."""

from games.words.errors import explain_error, explain_refusal, refusals_to_fill
from games.words.game import (
    describe_event,
    describe_gain,
    describe_moves,
    describe_mute,
    head_postcard,
    quote_postcard,
    say_before_first_move,
    say_end,
    say_offer,
    say_result,
    say_turn,
    tell_ply,
)
from games.words.territories import describe_board, describe_territory, say_cancel, say_to, tell_board
from games.words.villages import (
    ask_for_order,
    describe_order,
    describe_outcome,
    describe_plan,
    explain_village,
    say_next_chip,
    say_no_village,
    say_order_matters,
)
from games.words.vocabulary import (
    WHITE,
    count_chips,
    count_huts,
    count_moves,
    is_white,
    join_clans,
    join_words,
    language_tag,
    name_clan,
    name_epoch,
    name_places,
    name_rank,
    name_seat,
    name_terrain,
    one_line,
    speaking,
)
