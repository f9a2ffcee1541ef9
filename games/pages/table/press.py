"""A page that moves for one seat in one turn, for anybody who has the mail that called to that turn: *move without
signing in* (design 3.3).

The button of the mail leads here with a secret in the fragment of the address, which browsers send to nobody. A script
exchanges it for a cookie of this page alone. The page is made for a visitor, whoever is signed in in this browser; it
only marks the seat to move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, gettext as _, gettext_lazy
from django.views.decorators.http import require_safe

from games import mail, play, words
from games.limits import PRESSES
from games.models import TokenTurn, TurnToken, find_turn_token
from games.pages.access import table_url, viewer_of
from games.pages.counting import refused
from games.pages.forms import MoveForm
from games.pages.replies import CONFLICT, GONE, INCOMPLETE, SeeOther
from games.pages.table import board_view, clock
from games.pages.table.draft import NOTHING_CHOSEN, read_draft
from games.pages.table.page import about_play, contents_of
from games.pages.table.playing import NotPlayed, play_form, take_back_form
from games.pov import Pov, look
from games.words.spans import say_span

AGE: Final = 60 * 60
"""Seconds that the page works after the mail was opened, if the turn lasts so long."""
COOKIE: Final = "turn"
SALT: Final = "games.pages.table.press"
KEY: Final = "press"
"""The first part of the keys of moves that are made here."""


# --- The way in ------------------------------------------------------------------------------------


def open_press(request: HttpRequest, slug: str) -> HttpResponse:
    """Exchange the secret of a mail for the cookie of the page, and go there; its player, if signed in, to the table.

    It changes nothing else, so programs that open the links of mails and run scripts do no harm.
    """
    page = _address(slug)
    if request.method != "POST":
        return redirect(page)
    if refused(PRESSES, request):
        return SeeOther(f"{page}?link=later")
    token = find_turn_token(request.POST.get("secret", ""), TurnToken.Use.PRESS)
    if token is None or not token.turns.filter(seat__game__slug=slug).exists():
        return SeeOther(f"{page}?link=unknown")
    if viewer_of(request) == token.player:
        return SeeOther(table_url(slug))
    response = SeeOther(page)
    response.set_signed_cookie(
        _cookie(),
        str(token.pk),
        salt=SALT,
        max_age=AGE,
        path=page,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return response


def _address(slug: str) -> str:
    return reverse("press", args=(slug,))


def _cookie() -> str:
    # Not by COOKIE_PREFIX: a cookie of one page cannot be `__Host-`, which demands the path of all pages.
    return f"{'__Secure-' if settings.SESSION_COOKIE_SECURE else ''}{COOKIE}"


def _turn_of(request: HttpRequest, slug: str) -> TokenTurn | None:
    """The turn that the cookie is for, over or not. No query without a cookie, else one."""
    key = request.get_signed_cookie(_cookie(), default="", salt=SALT, max_age=AGE)
    if not key:
        return None
    turns = TokenTurn.objects.select_related("token__player", "seat__game__deal", "seat__game__series")
    turns = turns.defer("token__player__password", "seat__clan", "seat__entropy")
    return turns.filter(token=int(key), token__use=TurnToken.Use.PRESS, seat__game__slug=slug).first()


# --- The page --------------------------------------------------------------------------------------

View = Callable[[HttpRequest, str], HttpResponse]
Act = Callable[[HttpRequest, TokenTurn], HttpResponse]


def _for_anybody(view: View) -> View:
    """The view, as for a visitor, whoever is signed in; its answers are neither stored nor listed."""

    @wraps(view)
    def shown(request: HttpRequest, slug: str) -> HttpResponse:
        request.user = AnonymousUser()
        response = view(request, slug)
        response["Cache-Control"] = "private, no-store"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return shown


def _respond(request: HttpRequest, turn: TokenTurn, act: Act) -> HttpResponse:
    """The answer of `act`, or a page that says that the link has expired; in the language and the time zone of the
    mail."""
    with mail.as_read_by(turn.token.player):
        why = _why_over(turn)
        response = _show_closed(request, turn.seat.game.slug, why=why, status=GONE) if why else act(request, turn)
        response["Content-Language"] = get_language()
    return response


def _verb(act: Act) -> View:
    """The view of a POST-only address. A POST leads to the page; so does a GET, which changes nothing."""

    @_for_anybody
    @wraps(act)
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        if request.method != "POST":
            return redirect(_address(slug))
        turn = _turn_of(request, slug)
        return _respond(request, turn, act) if turn else SeeOther(_address(slug))

    return view


@require_safe
@_for_anybody
def press(request: HttpRequest, slug: str) -> HttpResponse:
    """The board with a move to choose (`?from=C4&to=D1`, `?move=C4-D1`), or, without the cookie, the page that asks for
    it.

    The script of the page polls it: 304 while it is as the page shows it. That costs 5 queries at most.
    """
    turn = _turn_of(request, slug)
    if turn is not None:
        if _is_known(request, turn):
            return HttpResponseNotModified()
        return _respond(request, turn, lambda request, turn: _show(request, turn, chosen=request.GET))
    response = _show_closed(request, slug, why=str(_REFUSED.get(request.GET.get("link", ""), "")))
    # No form is sent from here but by the script: others would come with the origin `null` (design 3.4).
    response["Referrer-Policy"] = "no-referrer"
    return response


_REFUSED: Final = {
    "unknown": gettext_lazy("That link is not whole, or it is no longer valid."),
    "later": gettext_lazy("Many such links were opened from this network. Wait a while, or sign in."),
}


@_verb
def move(request: HttpRequest, turn: TokenTurn) -> HttpResponse:
    """Play the move. If it is refused, the page comes back with the draft."""
    form = MoveForm(request.POST)
    if not form.is_valid():
        return _show(request, turn, chosen=request.POST, refusal=form.refusal, status=INCOMPLETE)
    draft, game = {"move": form.text}, turn.seat.game
    if (form.cleaned_data["ply"], form.edition) != (turn.ply, turn.edition):
        return _show_again(request, game.slug, chosen=draft, refusal=words.explain_refusal(play.StaleMove()))
    played = play_form(form, game, seat=turn.seat, key=form.key_of(form.text, page=KEY))
    if not isinstance(played, NotPlayed):
        return SeeOther(_address(game.slug))
    if played.status == CONFLICT:
        return _show_again(request, game.slug, chosen=draft, refusal=played.text)
    return _show(request, turn, chosen=draft, refusal=played.text, status=played.status)


@_verb
def take_back(request: HttpRequest, turn: TokenTurn) -> HttpResponse:
    """Take back the move that was made here, as long as possible: the turn goes on, and so does the page."""
    player, game = turn.token.player, turn.seat.game
    try:
        refusal = take_back_form(request, game, player)
    except play.TakenBackAlready:
        refusal = None
    except play.PlayError as error:
        return _show_again(request, game.slug, refusal=words.explain_refusal(error))
    if refusal:
        return _show(request, turn, refusal=refusal.text, status=refusal.status)
    return SeeOther(_address(game.slug))


# --- What it shows ---------------------------------------------------------------------------------


def _why_over(turn: TokenTurn) -> str:
    """Why the page can do nothing any more; empty while it can. At most one query."""
    token, game = turn.token, turn.seat.game
    player = token.player
    if not player.is_active or token.sign_outs != player.sign_outs:
        return _("Since the mail was sent, %(name)s has signed out everywhere.") % {"name": player.username}
    if not player.presses:
        return _("%(name)s no longer wishes to move without signing in.") % {"name": player.username}
    if game.is_over:
        return _("This game is over.")
    return "" if turn.is_open or _is_made_here(turn) else _("That turn is over, and what was played in it stands.")


def _is_made_here(turn: TokenTurn) -> bool:
    """Whether the last move of the game is that of the turn, and was made on this page."""
    seat, game = turn.seat, turn.seat.game
    is_next = (game.ply, game.edition, seat.player_id) == (turn.ply + 1, turn.edition, turn.token.player_id)
    if seat.number is None or not is_next:
        return False
    return game.moves.filter(ply=turn.ply, seat=seat.number, key__startswith=f"{KEY}-").exists()


def _show_closed(request: HttpRequest, slug: str, *, why: str, status: int = 200) -> HttpResponse:
    """The page without a board: how to come in, and `why` it is closed."""
    about = {"table_url": _address(slug), "sign_in_url": _sign_in_url(slug), "why": why, "is_over": status == GONE}
    return render(request, "games/press_closed.html", about, status=status)


def _sign_in_url(slug: str) -> str:
    """The address for signing in, which leads on to the table."""
    return f"{reverse('account_login')}?{urlencode({'next': table_url(slug)})}"


def _show_again(
    request: HttpRequest, slug: str, *, refusal: str, chosen: Mapping[str, str] | None = None
) -> HttpResponse:
    """The page as it is now, after something came too late."""
    turn = _turn_of(request, slug)
    why = _why_over(turn) if turn else ""
    if turn is None or why:
        return _show_closed(request, slug, why=why, status=GONE)
    return _show(request, turn, chosen=chosen, refusal=refusal, status=CONFLICT)


def _show(
    request: HttpRequest,
    turn: TokenTurn,
    *,
    chosen: Mapping[str, str] | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """The board as visitors see it, with the turn's move to choose, or with the one that was made."""
    game, player, page = turn.seat.game, turn.token.player, _address(turn.seat.game.slug)
    may_take_back = _may_take_back(turn)
    pov = _with_seat(look(game, viewer=None), turn.seat.number)
    about = _about(pov, chosen or {}, page=page)
    made = str(pov.last_step.move._replace(order=())) if pov.last_step and not pov.is_my_turn else ""
    taken_back = made if may_take_back else ""
    version = _version(turn, may_take_back=may_take_back)
    context = {
        "table_url": page,
        "sign_in_url": _sign_in_url(game.slug),
        "name": player.username,
        "refusal": refusal,
        "pov": pov,
        "made": made,
        "taken_back": taken_back,
        "take_back_time": say_span(game.call_waits, is_exact=True),
        "version": version if pov.is_my_turn or taken_back else "",
        **about,
    }
    return render(request, "games/press.html", context, status=status)


def _may_take_back(turn: TokenTurn) -> bool:
    """Whether the last move was made in the turn and may be taken back. Costs what `play.may_take_back` costs."""
    number = turn.seat.number
    return number is not None and play.may_take_back(turn.seat.game, seat=number, at=play.now())


def _version(turn: TokenTurn, *, may_take_back: bool) -> str:
    """An identifier for everything that can change on the page while it follows its turn."""
    game = turn.seat.game
    until = (moment and int(moment.timestamp()) for moment in (game.free_until, game.due_at))
    return "-".join(map(str, (game.ply, game.edition, *until, int(may_take_back))))


def _is_known(request: HttpRequest, turn: TokenTurn) -> bool:
    """Whether the script asks with the version that the page still has."""
    etag = request.headers.get("If-None-Match")
    if etag is None or _why_over(turn):
        return False
    # Scripts ask for a version and how many tables wait, and this page knows of none.
    return etag == f'"{_version(turn, may_take_back=_may_take_back(turn))}-0"'


def _with_seat(pov: Pov, number: int | None) -> Pov:
    """The Pov with that seat marked as the one that moves here, without anything else about it."""
    seats = tuple(replace(seat, is_mine=True) if seat.number == number else seat for seat in pov.seats)
    return replace(pov, seats=seats)


def _about(pov: Pov, chosen: Mapping[str, str], *, page: str) -> dict[str, Any]:
    if pov.position is None:
        raise AssertionError("a turn is one of a game that has begun")
    draft = read_draft(chosen, pov.position) if pov.is_my_turn else NOTHING_CHOSEN
    contents = contents_of(pov, pov.position)
    return {
        **about_play(pov, pov.position, draft, chosen=chosen, contents=contents),
        **clock.about_clock(pov),
        "board": board_view.draw_table(pov, pov.position, draft, contents=contents, page=page),
    }
