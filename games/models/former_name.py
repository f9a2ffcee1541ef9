from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from games.models.names import look_of
from games.models.player import Player


class FormerNameQuerySet(models.QuerySet["FormerName"]):
    def called(self, name: str) -> FormerNameQuerySet:
        """The one of that name, in whatever case."""
        return self.annotate(lower=Lower("name")).filter(lower=Lower(models.Value(name)))

    def like(self, name: str) -> FormerNameQuerySet:
        """Those that a new name would be taken for."""
        return self.filter(Q(name__iexact=name) | Q(look=look_of(name)))


class FormerName(models.Model):
    """What a player was called before. It leads to them, so nobody else gets it, as long as they have an account."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=150)
    look = models.CharField(max_length=600, db_index=True, help_text=_("What the name looks like."))
    at = models.DateTimeField(help_text=_("When the player gave it up."))

    objects = FormerNameQuerySet.as_manager()

    class Meta:
        verbose_name = _("former name")
        verbose_name_plural = _("former names")
        constraints = (models.UniqueConstraint(Lower("name"), name="former_name_any_case_unique"),)

    def __str__(self) -> str:
        return self.name


def find_active(name: str) -> Player | None:
    """The player of that name in whatever case, or who had it before; nobody who has closed the account or not
    finished to sign up. At most two queries."""
    found = Player.objects.confirmed().filter(username__iexact=name).first() or player_once_called(name)
    return found if found and found.is_active else None


def player_once_called(name: str) -> Player | None:
    """The player who had that name before. One query."""
    found = FormerName.objects.called(name).select_related("player").first()
    return found.player if found else None
