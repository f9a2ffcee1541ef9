"""Where the link of an invitation leads: the table or season as a friend sees it, and sitting down (or joining) or
declining there.

The token in the address is what allows it, as a code by mail does. So nobody caches these pages, and their address goes
to no other site (`Referrer-Policy: same-origin`; with `no-referrer` browsers would send forms without the origin that
Django asks them for).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.utils import perform_login
from django import forms
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.csrf import csrf_exempt

from games import mail, play, words
from games.drawing import draw_board, play_sample
from games.models import Game, Invitation, Player, Season, free_seats
from games.pages.access import about_free_seats, link_player, viewer_of
from games.pages.accounts.adapter import NAME_LENGTH, set_by_browser
from games.pages.accounts.sign_up import clean_new_name, unconfirmed_players
from games.pages.forms import JoinForm, NameInput
from games.pages.replies import CONFLICT, FORBIDDEN, INCOMPLETE, SeeOther, done
from games.pov import look
from games.words import pace
from games.words.ratings import say_rated
from games.words.seasons import say_joined, tell_season
from games.words.series import say_first

View = Callable[..., HttpResponse]

TAKEN = gettext_lazy("Somebody has that name already.")


class NewcomerForm(JoinForm):
    """The name of somebody who sits down without an account, and what they add to the deal."""

    name = forms.CharField(
        label=gettext_lazy("User name"),
        # One line on a phone, where the button below has to be in sight.
        help_text=gettext_lazy("At most 30 letters, digits and . + - _"),
        max_length=NAME_LENGTH,
        widget=NameInput("username"),
    )
    field_order = ("name",)

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def clean_name(self) -> str:
        return clean_new_name(self.cleaned_data["name"], email=self.email)


def _secret(view: View) -> View:
    """The view; no browser stores its answers, and no search engine lists them."""

    @wraps(view)
    def guarded(request: HttpRequest, **about: str) -> HttpResponse:
        response = view(request, **about)
        response["Cache-Control"] = "private, no-store"
        response["X-Robots-Tag"] = "noindex, nofollow"
        response["Referrer-Policy"] = "same-origin"
        return response

    return guarded


@_secret
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """The invitation of that link; a POST with `answer` sits down or declines. A link works once; then it leads whoever
    has accepted, and is signed in, to the table or season."""
    found = play.find_invitation(secret)
    if found is None or found.expires_at <= timezone.now() or found.answer == Invitation.Answer.WITHDRAWN:
        return render(request, "games/invitation_unknown.html", status=404)
    invited, viewer = found.invited, viewer_of(request)
    if viewer and viewer != invited:
        return render(request, "games/invitation_of_others.html", status=FORBIDDEN)
    if viewer and found.answer == Invitation.Answer.ACCEPTED and request.POST.get("answer") != "decline":
        return SeeOther(found.place.get_absolute_url())
    if request.method != "POST":
        return _show(request, found, invited)
    try:
        match request.POST.get("answer"):
            case "decline":
                play.decline_invitation(found, at=timezone.now())
                return SeeOther(request.path)
            case "sit":
                return _sit_down(request, found, invited, viewer)
    except play.PlayError as error:
        now = play.find_invitation(secret) or found
        return _show(request, now, invited, refusal=words.explain_refusal(error), status=CONFLICT)
    return _show(request, found, invited, refusal=_("Something was missing, so nothing was done."), status=INCOMPLETE)


@_secret
@csrf_exempt
def refuse_invitations(request: HttpRequest, refusal: str) -> HttpResponse:
    """GET asks whether to stop invitations to the address of that link; POST stops them or, with `again` in it, allows
    them again (RFC 8058).

    No CSRF token: mail programs have none, and the signed link is what allows it.
    """
    digest = mail.read_refusal(refusal)
    if digest is None:
        return render(request, "games/invitation_unknown.html", status=404)
    does, again = request.method == "POST", "again" in request.POST
    if does and again:
        play.allow_invitations(digest)
    elif does:
        play.refuse_invitations(digest, at=timezone.now())
    return render(request, "games/invitation_stop.html", {"is_off": does and not again, "is_back": does and again})


def _sit_down(request: HttpRequest, found: Invitation, invited: Player | None, viewer: Player | None) -> HttpResponse:
    if found.answer:
        raise play.AnsweredAlready
    if invited is None:
        return _seat_newcomer(request, found)
    if viewer is None:
        return redirect_to_login(request.path)
    form = JoinForm(request.POST)
    if not form.is_valid():
        return _show(request, found, invited, form=form, status=INCOMPLETE)
    _bring_in(found, viewer, form)
    return done(request, found.place, say_joined() if found.season else _("You sit at this table."))


def _bring_in(found: Invitation, player: Player, form: JoinForm) -> None:
    """Seat the player at the table, or let them join the season."""
    if found.season:
        play.join_season(found.season, player=player, invitation=found, at=timezone.now())
    else:
        play.join_table(found.table, player=player, entropy=form.entropy, invitation=found, at=timezone.now())


def _seat_newcomer(request: HttpRequest, found: Invitation) -> HttpResponse:
    """Make an account for the address that the link went to, let it in, and sign it in."""
    form = NewcomerForm(request.POST, email=found.address)
    if not form.is_valid():
        return _show(request, found, None, form=form, status=INCOMPLETE)
    try:
        with transaction.atomic():
            player = _new_player(request, email=found.address, name=form.cleaned_data["name"])
            _bring_in(found, player, form)
    except IntegrityError:
        # Somebody was quicker by a moment: with this link, which then shows it, or with the name.
        form.add_error("name", TAKEN)
        return _show(request, found, None, form=form, status=INCOMPLETE)
    here = _("You play this season, {}.") if found.season else _("You sit at this table, {}.")
    text = _(
        "To sign in elsewhere or later, have a code mailed to your address;"
        ' <a href="{}">a passkey</a> or <a href="{}">a password</a> needs no mail.'
    )
    ways = reverse("mfa_add_webauthn"), reverse("account_set_password")
    perform_login(request, player, email=player.email)
    return done(request, found.place, format_html(f"{here} {text}", player.username, *ways))


def _new_player(request: HttpRequest, *, email: str, name: str) -> Player:
    """A player whose address is proved by the link; they sign in by codes until they choose a password."""
    unconfirmed_players(email=email, name=name).delete()
    player = Player(username=name, email=email)
    player.set_unusable_password()
    set_by_browser(player, request)
    player.save()
    EmailAddress.objects.create(user=player, email=email, verified=True, primary=True)
    return player


def _board() -> SafeString:
    """A board in mid-game, for readers who have never seen one."""
    step = play_sample()
    return draw_board(step.position, title=_("A game of three, seen from above"), last=step)


def _show(
    request: HttpRequest,
    found: Invitation,
    invited: Player | None,
    *,
    form: JoinForm | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of an invitation, depending on what can be done with it."""
    about = {
        "invitation": found,
        "by": link_player(found.by.username),
        "board": _board(),
        "form": form or (JoinForm() if invited else NewcomerForm(email=found.address)),
        "is_known": invited is not None,
        "refusal": refusal,
        **(_about_season(found, found.season) if found.season else _about_table(found, found.table)),
    }
    return render(request, "games/invitation.html", about, status=status)


def _about_table(found: Invitation, game: Game) -> dict[str, Any]:
    at, pov = timezone.now(), look(game, viewer=None)
    waits = pov.status == Game.Status.OPEN
    is_open = found.is_open(at) and waits
    free = free_seats(game, at=at, but_for=found) if waits else 0
    kept = max(0, pov.size - len(pov.seats) - free)
    return {
        "pov": pov,
        **about_free_seats(pov, kept=kept, kept_for_me=found.keeps_seat(at)),
        "terms": pace.say_terms(pov.terms) if pov.terms else (),
        "rated": say_rated(is_rated=pov.is_rated, has_counted=pov.has_counted, is_over=pov.is_over),
        "told": say_first(game.series),
        "can_answer": is_open,
        "can_sit": is_open and free > 0,
    }


def _about_season(found: Invitation, season: Season) -> dict[str, Any]:
    return {
        "season": season,
        "can_sit": True,
        "told": tell_season(season),
        "joined": season.entrants.filter(left_at=None).count(),
        "can_answer": found.is_open(timezone.now()) and season.status == Season.Status.OPEN,
    }
