from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from games.models.player import MailMode

AUTOPILOT_AFTER = 3
"""After this many moves in a row the autopilot has the seat until the player returns."""
AUTOMATIC = Q(is_bot=True) | Q(autopiloted__gte=AUTOPILOT_AFTER)
"""`Seat.is_automatic` for queries."""
LEFT_SEAT = Q(player__isnull=False, total__isnull=True) & AUTOMATIC
"""Seats of people who have resigned or stay away, in games that are not over."""


class SeatQuerySet(models.QuerySet["Seat"]):
    def finished_without_account(self, name: str | models.OuterRef) -> SeatQuerySet:
        """Seats of that name, in whatever case, in games that are over, which belong to no account: those of computer
        players and of imported games. By index."""
        nobodys = self.filter(player__isnull=True, ended_at__isnull=False)
        wanted = Lower(models.Value(name) if isinstance(name, str) else name)
        return nobodys.annotate(lower=Lower("name")).filter(lower=wanted)


class Seat(models.Model):
    """A place in one game. `clan` is a secret until the game is over; `games.pov` guards it."""

    class Clan(models.TextChoices):
        RED = "red", _("red")
        BLUE = "blue", _("blue")
        GREEN = "green", _("green")
        YELLOW = "yellow", _("yellow")
        BLACK = "black", _("black")

    class Says(models.TextChoices):
        TONIGHT = "tonight", _("will play tonight")
        THINKING = "thinking", _("is thinking")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="seats")
    name = models.CharField(max_length=150, help_text=_("Of its player, as the table shows it."))
    dealt_name = models.CharField(
        max_length=150, blank=True, help_text=_("Who had it when the cards were dealt, if somebody has taken it over.")
    )
    taken_over_at = models.DateTimeField(null=True, help_text=_("When its player took it over from somebody else."))
    is_bot = models.BooleanField(default=False, help_text=_("A computer player moves for this seat."))
    resigned_at = models.DateTimeField(null=True)
    joined = models.PositiveSmallIntegerField(help_text=_("Place in the order of joining."))
    number = models.PositiveSmallIntegerField(null=True, help_text=_("Place in the order of play, once started."))
    entropy = models.CharField(max_length=200, blank=True)
    share = models.CharField(
        max_length=64, blank=True, help_text=_("What stands for the player in the draw; it names nobody.")
    )
    clan = models.CharField(max_length=6, choices=Clan, blank=True)
    is_ready = models.BooleanField(
        default=True, help_text=_("Not so in the next game of a series, until its player says so.")
    )
    agrees_to_abandon = models.BooleanField(default=False)
    has_note = models.BooleanField(default=False, help_text=_("Lets pages skip the query for the note."))
    has_sheet = models.BooleanField(default=False)
    mail_mode = models.CharField(max_length=9, choices=MailMode, blank=True, help_text=_("Empty: the player’s own."))
    talk_mail = models.BooleanField(default=True, help_text=_("Whether mails come about the talk alone."))
    heard = models.PositiveIntegerField(default=0, help_text=_("The last postcard that the player has read."))
    called_to_talk = models.PositiveIntegerField(
        default=0, help_text=_("The postcard that a mail was last owed for: no other is, until it is read.")
    )
    seen_ply = models.PositiveSmallIntegerField(null=True, help_text=_("How far the player has seen the game."))
    seen_at = models.DateTimeField(null=True)
    seen_before = models.PositiveSmallIntegerField(
        null=True, help_text=_("What they had seen before they last came back to new moves, or watched any.")
    )
    reserve_used = models.DurationField(
        default=timedelta, help_text=_("Of the table’s reserve, in turns that are over.")
    )
    reserve_taken = models.DurationField(default=timedelta, help_text=_("Of the reserve, for the turn that runs."))
    says = models.CharField(max_length=8, choices=Says, blank=True, help_text=_("What the others are told meanwhile."))
    says_at = models.DateTimeField(null=True)
    nudged_at = models.DateTimeField(null=True)
    autopiloted = models.PositiveSmallIntegerField(default=0, help_text=_("Moves in a row that the autopilot made."))
    has_withdrawn = models.BooleanField(default=False, help_text=_("A move of the autopilot; once a game."))
    chips = models.PositiveSmallIntegerField(null=True)
    total = models.PositiveSmallIntegerField(null=True)
    rank = models.PositiveSmallIntegerField(null=True)
    ended_at = models.DateTimeField(null=True, help_text=_("As the game’s; here an index finds a player’s last ones."))

    objects = SeatQuerySet.as_manager()

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = (
            models.UniqueConstraint(fields=("game", "joined"), name="seat_joined_unique"),
            models.UniqueConstraint(fields=("game", "number"), name="seat_number_unique"),
            models.UniqueConstraint(fields=("game", "player"), name="seat_player_once_a_game"),
            models.UniqueConstraint(fields=("game", "clan"), condition=~Q(clan=""), name="seat_clan_unique"),
            models.CheckConstraint(condition=Q(joined__range=(0, 3)), name="seat_joined_0_to_3"),
            models.CheckConstraint(
                condition=Q(number__isnull=True) | Q(number__range=(0, 3)), name="seat_number_0_to_3"
            ),
            models.CheckConstraint(
                condition=Q(clan__in=("", "red", "blue", "green", "yellow", "black")), name="seat_clan_known"
            ),
            models.CheckConstraint(
                condition=Q(clan="", number__isnull=True) | (~Q(clan="") & Q(number__isnull=False)),
                name="seat_dealt_at_once",
            ),
            # imported games, which are over, have seats of people without an account
            models.CheckConstraint(
                condition=Q(player__isnull=False) | Q(is_bot=True) | Q(ended_at__isnull=False), name="seat_has_somebody"
            ),
            models.CheckConstraint(
                condition=Q(resigned_at__isnull=True) | Q(is_bot=True, player__isnull=False),
                name="seat_resigned_is_played_by_bot",
            ),
            models.CheckConstraint(
                condition=Q(taken_over_at__isnull=True, dealt_name="")
                | (Q(taken_over_at__isnull=False) & ~Q(dealt_name="")),
                name="seat_dealt_to_another_exactly_when_taken_over",
            ),
            models.CheckConstraint(condition=Q(mail_mode__in=("", *MailMode.values)), name="seat_mail_mode_known"),
            models.CheckConstraint(condition=Q(says__in=("", "tonight", "thinking")), name="seat_says_known"),
        )
        indexes = (
            # my open and running tables, newest first, however many I have finished
            models.Index(fields=("player", "-game"), condition=Q(total__isnull=True), name="seat_unfinished"),
            # my finished games, newest first
            models.Index(
                fields=("player", "-ended_at", "-game"), condition=Q(ended_at__isnull=False), name="seat_finished"
            ),
            # games by the name of somebody without an account
            models.Index(
                Lower("name"),
                "game",
                "rank",
                "clan",
                "name",
                condition=Q(player__isnull=True, ended_at__isnull=False),
                name="seat_without_account",
            ),
            # seats that somebody may take over, the newest game first
            models.Index(fields=("-game", "id"), condition=LEFT_SEAT, name="seat_left"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def name_in_deal(self) -> str:
        """Who had the seat when the cards were dealt, as deal and record name them."""
        return self.dealt_name or self.name

    def forget_holder(self) -> None:
        """Set all fields but the place of the seat, and what was dealt to it, to what they are for a new player. The
        caller saves."""
        for field in self._meta.concrete_fields:
            if field.name not in {"id", "game", "joined", "number", "entropy", "share", "clan"}:
                setattr(self, field.attname, field.get_default())

    def has_seen(self, ply: int, *, since: datetime) -> bool:
        """Whether the player has looked at the table `since` then, when so many moves or more had been made."""
        return self.seen_at is not None and self.seen_ply is not None and self.seen_ply >= ply and self.seen_at >= since

    def reserve_left(self, game: Game) -> timedelta:
        """What is left of the reserve of `game`, this seat's, but for what the turn that runs draws by itself."""
        return max(timedelta(hours=game.reserve_hours) - self.reserve_used - self.reserve_taken, timedelta())

    def may_be_taken_over(self, game: Game) -> bool:
        """Whether somebody else may take over this seat of the running `game`: a person has resigned, or stays away."""
        return game.allows_takeover and self.player_id is not None and self.is_automatic

    @property
    def is_automatic(self) -> bool:
        """Whether a computer player moves for this seat: its own, or the autopilot of a player who stays away."""
        return self.is_bot or self.autopiloted >= AUTOPILOT_AFTER
