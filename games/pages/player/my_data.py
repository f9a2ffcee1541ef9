"""All that the site stores about a player, as a JSON file for that player."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Exists, F, FilteredRelation, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from games import pov
from games.limits import DOWNLOADS
from games.models import (
    CONTENT,
    ApiToken,
    Favorite,
    FormerHolder,
    InboundMail,
    Invitation,
    Mail,
    Mute,
    Player,
    Rating,
    Report,
    Season,
    SeasonMail,
    Vacation,
    Webhook,
    WebhookCall,
)
from games.pages.counting import refused
from games.pages.forms import for_players
from games.pages.player.webhooks import shorten_address
from games.pages.replies import TOO_OFTEN

Row = dict[str, Any]

_LEASE = ("claim", "lease_until", "attempts", "crashes")
_OF_THE_MAIL = ("state", "due_at", "sent_at", "error", "token", "digest", "message_id", "owes_push", *CONTENT)
_NOT_THEIRS = ("postcard", "game", "text", "notes")
_OF_RATING = pov.columns(Rating, without=("player",))
_RATING = tuple(f"rating__{name}" for name in _OF_RATING)
_PARTS_OF_MAIL = ("headers", "pictures", "packed_text", "packed_html")


@for_players
@require_safe
def my_data(request: HttpRequest, player: Player) -> HttpResponse:
    """The file. It holds no password, key or code by which somebody could act for the player."""
    if refused(DOWNLOADS, request, person=player.pk):
        return render(request, "429.html", status=TOO_OFTEN)
    response = JsonResponse(_data(player), json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = content_disposition_header(True, f"clans-{player.username}.json")
    return response


def _data(player: Player) -> Row:
    """Costs 18 queries, however many games there are; 5 more if somebody has taken over a seat, one more if there are
    tokens of the API, and two more if answers by mail came in."""
    there_are = {
        "has_lost_seats": Exists(FormerHolder.objects.filter(player=OuterRef("pk"))),
        "has_sent_mails": Exists(InboundMail.objects.filter(player=OuterRef("pk"))),
        "has_tokens": Exists(ApiToken.objects.filter(player=OuterRef("pk"))),
    }
    found = Player.objects.filter(pk=player.pk).annotate(**there_are)
    [about] = _rows(found, without=("password", "feed_key"), along=(*_RATING, *there_are))
    has_lost_seats, has_tokens = about.pop("has_lost_seats"), about.pop("has_tokens")
    has_sent_mails = about.pop("has_sent_mails")
    rating = {name: about.pop(f"rating__{name}") for name in _OF_RATING}
    return {
        "player": about,
        "rating": rating if rating["games"] else None,
        "has_feeds": player.feed_key is not None,
        "addresses": _rows(EmailAddress.objects.filter(user=player), without=("id", "user")),
        "second_factors": _rows(Authenticator.objects.filter(user=player), without=("id", "user", "data")),
        "sessions": _rows(UserSession.objects.filter(user=player), without=("id", "user", "session_key", "data")),
        "former_names": _rows(player.former_names.all(), without=("id", "player", "look")) if player.renamed_at else [],
        "vacations": _rows(Vacation.objects.filter(player=player), without=("id", "player")),
        "webhooks": _webhooks(player),
        "api_tokens": _rows(player.api_tokens.all(), without=("id", "player", "digest")) if has_tokens else [],
        "mails": _rows(Mail.objects.filter(player=player), without=("id", "player", *_LEASE, *_PARTS_OF_MAIL)),
        "mails_from_you": _inbound_mails(player) if has_sent_mails else [],
        **_invitations(player),
        **_others(player),
        "reports": _rows(Report.objects.filter(reporter=player), without=("id", "reporter", "about", *_NOT_THEIRS)),
        "seasons": _seasons(player),
        "games": pov.own_games(player),
        "seats_taken_over_by_others": pov.former_seats(player) if has_lost_seats else [],
    }


def _inbound_mails(player: Player) -> list[Row]:
    """The answers by mail that came in, with what they said, as long as that is stored."""
    mails = InboundMail.objects.filter(player=player).order_by("pk")
    rows = _rows(mails, without=("id", "player", "token", "notice", "fingerprint", "packed", *_LEASE))
    raw = [mail.raw.decode(errors="replace") for mail in mails]
    return [row | {"mail": text} for row, text in zip(rows, raw, strict=True)]


def _invitations(player: Player) -> Row:
    """Invitations by and to the player, with their table or season and the name of the other person. What became of the
    mail is left out: it would tell the inviter whether an address has an account."""
    found = Invitation.objects.filter(Q(by=player) | Q(player=player) | Q(address=player.email))
    columns = pov.columns(Invitation, without=("id", "game", "season", "by", "player", *_LEASE, *_OF_THE_MAIL))
    rows = list(
        found.order_by("pk").values("by_id", "game__slug", "season__slug", "player__username", "by__username", *columns)
    )
    by_me = [row.pop("by_id") == player.pk for row in rows]
    for row, is_mine in zip(rows, by_me, strict=True):
        del row["by__username" if is_mine else "player__username"]
    return {
        "invitations": [row for row, is_mine in zip(rows, by_me, strict=True) if is_mine],
        "invitations_to_you": [row for row, is_mine in zip(rows, by_me, strict=True) if not is_mine],
    }


def _others(player: Player) -> Row:
    """Whom the player has muted and whom they like to play with, in one query."""
    columns = ("other__username", "at", "is_muted", "blocks")
    muted = Mute.objects.filter(player=player).annotate(is_muted=Value(True)).values_list(*columns)
    liked = Favorite.objects.of(player).order_by().annotate(is_muted=Value(False), blocks=Value(False))
    rows = list(muted.union(liked.values_list(*columns), all=True).order_by("at", "other__username"))
    return {
        "muted": [{"name": name, "blocks": blocks, "at": at} for name, at, is_muted, blocks in rows if is_muted],
        "favorites": [{"name": name, "at": at} for name, at, is_muted, _blocks in rows if not is_muted],
    }


def _seasons(player: Player) -> list[Row]:
    """The seasons of leagues that the player has joined, or has opened, and when a mail told them of the end of one in
    which they had no seat."""
    mine = FilteredRelation("entrants", condition=Q(entrants__player=player))
    rows = Season.objects.annotate(mine=mine).filter(Q(opener=player) | Q(mine__isnull=False)).order_by("pk")
    told = SeasonMail.objects.filter(season=OuterRef("pk"), player=player).values("sent_at")
    about = {"joined_at": F("mine__joined_at"), "left_at": F("mine__left_at"), "opened_by_you": Q(opener=player)}
    return [dict(row) for row in rows.values("slug", "name", **about, told_of_end_at=Subquery(told))]


def _webhooks(player: Player) -> list[Row]:
    """With the calls that are owed or were lately made, in one query. The whole address is a secret of the chat behind
    it."""
    inner = pov.columns(WebhookCall, without=("id", "seat", "invitation", "season_mail", *_LEASE))
    calls = {f"calls__{name}": name for name in inner}
    columns = pov.columns(Webhook, without=("player", "secret", "public_key", "browser_secret"))
    hooks: dict[int, Row] = {}
    for row in Webhook.objects.filter(player=player).order_by("pk", "calls__pk").values(*columns, *calls):
        call = {name: row.pop(path) for path, name in calls.items()}
        if row["id"] not in hooks:
            hooks[row["id"]] = row | {"address": shorten_address(row.pop("url")), "calls": []}
        if call["hook_id"] is not None:
            hooks[row["id"]]["calls"].append(call)
    return list(hooks.values())


def _rows(found: QuerySet[Any, Any], *, without: tuple[str, ...], along: tuple[str, ...] = ()) -> list[Row]:
    model: type[Model] = found.model
    return list(found.order_by("pk").values(*pov.columns(model, without=without), *along))
