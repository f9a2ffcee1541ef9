"""Tokens in mails by which their readers can play or write."""

from __future__ import annotations

import secrets
from base64 import b32encode
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.invitation import digest_of
from games.models.player import Player
from games.models.seat import Seat

_SECRET_BYTES: Final = 20


class TurnToken(models.Model):
    """What a mail carries so that its reader can play from it, or write back: for the seats of `turns`, at their ply
    and edition alone. The secret itself is not stored."""

    class Use(models.TextChoices):
        ANSWER = "answer", _("to answer by mail")
        PRESS = "press", _("to move without signing in")
        TALK = "talk", _("to answer a postcard by mail")

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="turn_tokens")
    use = models.CharField(max_length=6, choices=Use)
    digest = models.CharField(max_length=64, unique=True, help_text=_("The SHA-256 of the secret."))
    sign_outs = models.PositiveIntegerField(help_text=_("How often the player had signed out everywhere by then."))
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("token of turns")
        verbose_name_plural = _("tokens of turns")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(use__in=("answer", "press", "talk")), name="turn_token_use_known"
            ),
        )
        indexes = (
            # the sweep: what is long over
            models.Index(fields=("created_at",), name="turn_token_age"),
        )

    def __str__(self) -> str:
        return f"{self.use} ({self.created_at:%Y-%m-%d})"


class TokenTurn(models.Model):
    """One of the turns that a token is for; `number` is what a mail about several tables calls it, from 1 on."""

    token = models.ForeignKey(TurnToken, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveSmallIntegerField()
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    ply = models.PositiveSmallIntegerField()
    edition = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("turn of a token")
        verbose_name_plural = _("turns of tokens")
        constraints = (models.UniqueConstraint(fields=("token", "number"), name="token_turn_numbered_once"),)

    def __str__(self) -> str:
        return f"{self.number}: ply {self.ply}"

    @property
    def is_open(self) -> bool:
        """Whether the turn still waits for its player's move. Costs no query where token, seat and game are loaded."""
        seat, game = self.seat, self.seat.game
        return (
            game.is_running
            and (game.ply, game.edition, game.awaited_id) == (self.ply, self.edition, self.token.player_id)
            and (seat.number, seat.player_id) == (game.to_move, self.token.player_id)
        )

    @property
    def is_own(self) -> bool:
        """Whether the seat is the one to move at that ply: the mail called to the turn, and did not tell of a move of
        its player. Costs no query where seat and game are loaded."""
        game = self.seat.game
        return game.first is not None and (game.first + self.ply) % game.size == self.seat.number


def make_turn_token(player: Player, seats: Mapping[int, Seat], *, use: str, at: datetime) -> str:
    """A new secret of 160 bits for these numbered `seats` of `player`, as their games are now: 32 lower-case letters
    and digits, since mail servers may change the case of addresses. Costs 2 queries."""
    secret = b32encode(secrets.token_bytes(_SECRET_BYTES)).decode().lower()
    token = TurnToken.objects.create(
        player=player, use=use, digest=digest_of(secret), sign_outs=player.sign_outs, created_at=at
    )
    TokenTurn.objects.bulk_create(
        TokenTurn(token=token, number=number, seat=seat, ply=seat.game.ply, edition=seat.game.edition)
        for number, seat in seats.items()
    )
    return secret


def find_turn_token(secret: str, *uses: str) -> TurnToken | None:
    """The token of that secret, in any case of letters, if it has one of these uses, with its player; None if there is
    none, or its player has left all its seats. A query."""
    found = TurnToken.objects.filter(turns__isnull=False).select_related("player").defer("player__password")
    return found.filter(digest=digest_of(secret.lower()), use__in=uses).first()
