"""Opening a table: the page with the form, and the button that opens one with the usual choices."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext

from games import play, rules, words
from games.caching import cached
from games.models import Game, Player, has_address, next_name
from games.pages.forms import new_chance, refill, sign_in_to_send
from games.pages.lists import again
from games.pages.lists.favorites import Companion, companions_of
from games.pages.lists.guests import refuse_guests, say_sent
from games.pages.lists.new_table_form import NewTableForm, choices_of
from games.pages.replies import SeeOther, status_of

LONGEST_ADDRESS: Final = 254


@sign_in_to_send
def new_table(request: HttpRequest, player: Player) -> HttpResponse:
    """The form; opens the table and goes there. `?again=` names a finished game to play once more, `?guest=` somebody
    to play with, `?against=computer` is for those who want to begin at once."""
    data = request.POST if request.method == "POST" else None
    followed = again.game_to_follow(request.GET.get("again", ""), player)
    guest = words.one_line(request.GET.get("guest", ""))[:LONGEST_ADDRESS]
    bots = 2 if request.GET.get("against") == "computer" else 0
    initial = again.choices_again(followed) if followed else _initial(player, bots=bots, guest=guest)
    if data is None:
        initial["name"] = _unused_name(Game.objects.unfinished_of(player), initial["name"])
    companions = companions_of(player)
    form = NewTableForm(data, player=player, initial=initial, companions=companions)
    following = again.following_table(followed, viewer=player) if followed else None
    status = None
    if form.is_valid() and not _is_news(following, request):
        try:
            return _opened(request, form, form.open(follows=followed), followed)
        except play.DealUsed as error:
            form.offer_another_deal()
            form.add_error(None, words.explain_refusal(error))
        except play.GuestsRefused as error:
            status = refuse_guests(form, "guests", error)
    invited = words.join_words(again.others_of(followed, player)) if followed else ""
    is_fresh = not (refill(form, request) or data or followed or guest)
    seats, fields = _fresh_fields(initial["bots"], tuple(rules.BOARDS)) if is_fresh else _fields(form)
    favorites = _fresh_favorites(companions) if is_fresh else _favorites(form)
    about = {
        "form": form,
        "seats": seats,
        "favorites": favorites,
        "fields": fields,
        "followed": followed,
        "invited": invited,
        "again": following,
    }
    return render(request, "games/new_table.html", about, status=status or status_of(form))


def _opened(request: HttpRequest, form: NewTableForm, game: Game, followed: Game | None) -> HttpResponse:
    """Lead to the table, which says that it is open and who is asked to it. A game that has begun says that itself.

    Invitations are counted as they were typed: nobody learns which addresses have an account (design 3.4).
    """
    if game.status == Game.Status.OPEN:
        said, guests = [_("The table is open.")], len(form.cleaned_data["guests"])
        if names := again.others_of(followed, form.player) if followed else []:
            asked = ngettext("%(names)s is asked to play again.", "%(names)s are asked to play again.", len(names))
            said.append(asked % {"names": words.join_words(names)})
        if guests:
            said.append(say_sent(guests))
        messages.success(request, " ".join(said))
    return SeeOther(game.get_absolute_url())


def fields_at_once(player: Player) -> dict[str, Any]:
    """The hidden fields of a form that opens a table against computer players as most choose it. The deal is fixed by
    them, and no words are added to it (design 1.6)."""
    form = NewTableForm(player=player, initial=_initial(player, bots=2))
    given = {name: form.initial[name] for name in form.fields if name in form.initial}
    return given | {"chance": new_chance(), "deal": form.offer}


def _fields(form: NewTableForm) -> tuple[SafeString, SafeString]:
    """All fields before and after what differs from player to player: the name, and who is on their list."""
    seats, fields = (render_to_string(f"games/_new_table_{part}.html", {"form": form}) for part in ("seats", "fields"))
    return seats, fields


@cached(most=16)
def _fresh_fields(bots: int, _boards: tuple[str, ...]) -> tuple[SafeString, SafeString]:
    """The empty fields: forty widgets, each rendered by templates of its own, take 10 ms."""
    return _fields(NewTableForm(player=Player(), initial=_usual(bots)))


def _favorites(form: NewTableForm) -> SafeString:
    """The people of the player's list who can be ticked; empty without a list."""
    return render_to_string("games/_favorite_guests.html", {"form": form}) if form.companions else SafeString()


@cached(most=64)
def _fresh_favorites(companions: tuple[Companion, ...]) -> SafeString:
    """The same with nobody ticked: 50 of them take as long as all the rest of the page."""
    return _favorites(NewTableForm(player=Player(), companions=companions))


def _is_news(following: again.FollowingTable | None, request: HttpRequest) -> bool:
    """Whether somebody else has opened a table to play again since the form was shown: then the page says so first."""
    if following is None or following.is_mine or not following.is_open:
        return False
    return request.POST.get("known") != following.slug


def _initial(player: Player, *, bots: int, guest: str = "") -> dict[str, Any]:
    """What is chosen beforehand. A table with a guest is for those two, and the other seat is kept."""
    name = _("%(player)s’s table") % {"player": player.username}
    if has_address(name):
        # The account is older than the rule; the form would refuse what it begins with.
        name = name.replace(".", " ")
    invites = {"size": 2, "guests": guest, "keeps_seats": True} if guest else {}
    return {"name": name[:60]} | _usual(bots) | invites


def _unused_name(tables: QuerySet[Game], name: str) -> str:
    """The name, with a number if one of these tables is called so: lists and mails would have two of one name. One
    query."""
    taken = set(tables.values_list("name", flat=True))
    while name in taken:
        name = next_name(name)
    return name


def _usual(bots: int) -> dict[str, Any]:
    return {"size": 3, "bots": bots, "games": 1} | choices_of(play.Terms(is_rated=True, allows_takeover=True))
