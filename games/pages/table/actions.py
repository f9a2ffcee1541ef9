"""What is done at a table: POST-only addresses, each one call of `games.play` and then back to the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from games import mail, play, rules, words
from games.limits import POSTCARDS, PROPOSALS
from games.models import Game, MailMode, Player
from games.pages.access import find_seat, game_of
from games.pages.counting import refused
from games.pages.forms import AbandonForm, JoinForm, MailModeForm, MoveForm, first_error, forget_unsent, keep_unsent
from games.pages.lists.joining import ask_for_seat
from games.pages.lists.next_table import next_after
from games.pages.replies import CONFLICT, FORBIDDEN, INCOMPLETE, TOO_OFTEN, SeeOther, done
from games.pages.table.page import show_table
from games.pages.table.playing import NotPlayed, play_form, take_back_form

MANY_POSTCARDS: Final = gettext_lazy(
    "You have written many postcards lately, so nothing was sent. Wait a while before the next one."
)

WHOSE_TURN: Final = "#turn"
"""Where a table says whose turn it is, and below it what has happened: without script it opens there after a move."""

WRITTEN: Final = ("say", "to")
"""The fields of a table's page that wait: a postcard, who is to be invited. A note is a secret, and does not wait."""

Action = Callable[..., HttpResponse]
"""What takes a request, a game, a player, and by name what else stands in the address."""


def _sign_in_first(request: HttpRequest, game: Game) -> HttpResponse:
    """Lead to the page for signing in, and from there to the table with the move that was sent. What was written waits
    there."""
    table, form = game.get_absolute_url(), MoveForm(request.POST)
    if any(map(request.POST.get, WRITTEN)):
        keep_unsent(request, table)
    draft = f"?{urlencode({'move': form.text})}" if form.is_valid() else ""
    return redirect_to_login(table + draft)


def sign_in_at(request: HttpRequest, page: str) -> HttpResponse:
    """The same for what was written on a page of its own."""
    keep_unsent(request, page)
    return redirect_to_login(page)


def action(act: Action, *, for_visitors: Callable[..., HttpResponse] = _sign_in_first) -> Callable[..., HttpResponse]:
    """The view of a POST-only address. A GET changes nothing and leads to the table. A visitor signs in first; a
    repeated action gets the same confirmation as the first; the table's page says what `games.play` refuses."""

    @wraps(act)
    def view(request: HttpRequest, slug: str, **about: int) -> HttpResponse:
        game = game_of(slug)
        if request.method != "POST":
            return redirect(game)
        if not isinstance(request.user, Player):
            return for_visitors(request, game, **about)
        forget_unsent(request)
        try:
            return act(request, game, request.user, **about)
        except play.DoneAlready as error:
            messages.info(request, words.explain_refusal(error))
            return SeeOther(game.get_absolute_url())
        except play.PlayError as error:
            status = FORBIDDEN if isinstance(error, play.NoSuchSeat | play.NotTheOpener) else CONFLICT
            return show_table(request, game_of(slug), refusal=words.explain_refusal(error), status=status)

    return view


def is_sure(request: HttpRequest) -> bool:
    """Whether the request comes from the page of `ask`."""
    return request.POST.get("sure") == "yes"


def ask(
    request: HttpRequest,
    game: Game,
    question: str,
    *,
    what: str,
    yes: str,
    no: str = "",
    who: str = "",
    is_danger: bool = False,
) -> HttpResponse:
    """The page that asks before something is done: `what` then happens, and the buttons for `yes` and `no`. Its form
    leads to the same address, with `who` it is about."""
    about = {"game": game, "question": question, "what": what, "yes": yes, "no": no, "who": who}
    return render(request, "games/sure.html", about | {"is_danger": is_danger})


def _join(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    form = JoinForm(request.POST)
    if not form.is_valid():
        return show_table(request, game, form=form, refusal=first_error(form), status=INCOMPLETE)
    play.join_table(game, player=player, entropy=form.entropy, at=play.now())
    return done(request, game, _("You sit at this table."))


def _join_later(request: HttpRequest, game: Game) -> HttpResponse:
    """What *Sit down* does for a visitor, if there may be a seat."""
    form = JoinForm(request.POST)
    if game.status != Game.Status.OPEN or not form.is_valid():
        return _sign_in_first(request, game)
    return ask_for_seat(request, game, entropy=form.entropy)


join = action(_join, for_visitors=_join_later)


@action
def ready(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Say that one is ready for the next game of a series."""
    form = JoinForm(request.POST)
    if not form.is_valid():
        return show_table(request, game, form=form, refusal=first_error(form), status=INCOMPLETE)
    play.say_ready(game, player=player, entropy=form.entropy, at=play.now())
    if game_of(game.slug).started_at:
        return SeeOther(game.get_absolute_url())
    return done(request, game, words.explain_refusal(play.ReadyAlready()))


@action
def leave(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    play.leave_table(game, player=player)
    return done(request, game, _("You have left this table."))


@action
def close(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Close the table if its opener is `sure`, or if only computer players sit there with them; else ask first, because
    others wait there. Any player of a later game of a series closes it by not going on."""
    may_close = game.opener_id == player.pk or (game.asks_who_is_ready and find_seat(game, player) is not None)
    others = _others(game, player) if not is_sure(request) and may_close else []
    if others:
        return _ask_to_close(request, game, others)
    play.close_table(game, player=player, at=timezone.now())
    return done(request, game, _("You have closed this table."))


def _ask_to_close(request: HttpRequest, game: Game, others: list[str]) -> HttpResponse:
    names, for_good = {"names": words.join_words(others)}, _("This cannot be taken back.")
    if game.asks_who_is_ready:
        what = _(
            "The next game does not begin, and the totals stand as they are. %(names)s will be told by mail that you do"
            " not go on."
        )
        question, yes, no = _("End the series here?"), _("Yes, end it"), _("No, go back")
    else:
        what = ngettext(
            "%(names)s sits at this table and is told by mail that you have closed it.",
            "%(names)s sit at this table and are told by mail that you have closed it.",
            len(others),
        )
        question, yes, no = _("Close the table?"), _("Yes, close it"), _("No, keep it open")
    return ask(request, game, question, what=f"{what % names} {for_good}", yes=yes, no=no, is_danger=True)


def _others(game: Game, player: Player) -> list[str]:
    """The names of the people at an open table, except `player`."""
    if game.status != Game.Status.OPEN:
        return []
    others = game.seats.filter(player__isnull=False).exclude(player=player)
    return list(others.order_by("joined").values_list("name", flat=True))


@action
def start(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    play.start_table(game, player=player, at=play.now())
    return SeeOther(game.get_absolute_url())


@action
def move(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Play the move. If it is refused, the table's page comes back with the draft."""
    form, unsent = MoveForm(request.POST), request.POST.get("say", "")
    if not form.is_valid():
        return show_table(request, game, chosen=request.POST, refusal=form.refusal, unsent=unsent, status=INCOMPLETE)
    seat = find_seat(game, player)
    if seat is None:
        raise play.NoSuchSeat
    draft, said = {"move": form.text}, form.cleaned_data["say"]
    if said and refused(POSTCARDS, request, person=player.pk):
        refusal = str(MANY_POSTCARDS)
        return show_table(request, game, chosen=draft, refusal=refusal, unsent=unsent, status=TOO_OFTEN)
    played = play_form(form, game, seat=seat, key=form.key_of(form.text), said=said)
    if not isinstance(played, NotPlayed):
        return _go_on(request, game, player, played.step)
    refusal, status = played
    since = form.cleaned_data["ply"] if status == CONFLICT else None
    game = game_of(game.slug) if status == CONFLICT else game
    return show_table(request, game, chosen=draft, refusal=refusal, unsent=unsent, since=since, status=status)


@action
def take_back(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    if refusal := take_back_form(request, game, player):
        return show_table(request, game, refusal=refusal.text, status=refusal.status)
    return done(request, game, words.explain_refusal(play.TakenBackAlready()))


def _go_on(request: HttpRequest, game: Game, player: Player, step: rules.Step) -> HttpResponse:
    """Lead to the next table that waits, for players who chose that; `game` is as it was before the move."""
    following = next_after(game, player) if player.goes_on else None
    if following is None or following == game:
        if game.said:
            # The page that follows shows all of it.
            play.mark_heard(game, player=player, heard=game.said, at=play.now())
        return SeeOther(game.get_absolute_url() + WHOSE_TURN)
    said = {"move": step.move, "left": game.name, "table": following.name}
    return done(request, following, _("%(move)s is played at %(left)s. Next is %(table)s.") % said)


@action
def resign(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Resign if the player is `sure`; else ask, because there is no way back."""
    if not is_sure(request) and game.is_running and find_seat(game, player):
        return _ask_to_resign(request, game, is_last=play.is_last(game, player=player))
    play.resign(game, player=player, at=timezone.now())
    if game_of(game.slug).is_over:
        return done(request, game, _("You have resigned, and with that the game has ended."))
    return done(request, game, _("You have resigned. A computer player moves for you from now on."))


def _ask_to_resign(request: HttpRequest, game: Game, *, is_last: bool) -> HttpResponse:
    if is_last:
        what = _("Nobody else would play on, so the game then ends: the cards are shown and nobody wins.")
    elif game.allows_takeover:
        what = _(
            "A computer player then moves for you for the rest of the game, or until somebody takes the seat over."
        )
    else:
        what = _("A computer player then moves for you for the rest of the game.")
    question, what = _("Resign for good?"), f"{what} {_('This cannot be taken back.')}"
    return ask(request, game, question, what=what, yes=_("Yes, resign"), no=_("No, play on"), is_danger=True)


@action
def abandon(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Say or take back that the game may be abandoned."""
    form = AbandonForm(request.POST)
    if not form.is_valid():
        return show_table(request, game, refusal=first_error(form), status=INCOMPLETE)
    if refused(PROPOSALS, request, person=player.pk):
        refusal = _("You have changed your mind often in this hour. Wait a while before the next time.")
        return show_table(request, game, refusal=refusal, status=TOO_OFTEN)
    agrees = form.cleaned_data["agrees"]
    play.agree_to_abandon(game, player=player, agrees=agrees, at=timezone.now())
    if game_of(game.slug).is_over:
        return SeeOther(game.get_absolute_url())
    said = _("You want to abandon the game. The others are told by mail.") if agrees else _("You play on.")
    return done(request, game, said)


@action
def choose_mail(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    """Set a mail mode for this table; an empty one means the player's own mode."""
    form = MailModeForm(request.POST)
    if not form.is_valid():
        return show_table(request, game, refusal=first_error(form), status=INCOMPLETE)
    mode = form.cleaned_data["mode"]
    if not mail.choose_modes(player, {game.slug: mode}, at=timezone.now()):
        raise play.NoSuchSeat
    if form.talk_mail is not None:
        mail.choose_talk(player, game, wants=form.talk_mail, at=timezone.now())
    said = _("Mail about this table: %(mode)s.") % {"mode": MailMode(mode).label if mode else _("as for all tables")}
    return done(request, game, said)
