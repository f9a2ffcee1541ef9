"""`manage.py close_account`: what players do themselves on a page, for those who ask the operator to."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import play
from games.models import Player


class Command(BaseCommand):
    help = "Close a player's account for good: their name leaves all games, computer players take over their seats."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the user name, in whatever case")
        parser.add_argument("--no-input", action="store_true", help="do not ask whether you are sure")
        parser.add_argument("--keep-words", action="store_true", help="keep what they have said at tables")

    def handle(self, *, name: str, no_input: bool, keep_words: bool, **options: Any) -> None:
        player = Player.objects.filter(username__iexact=name, closed_at=None).first()
        if player is None:
            raise CommandError(f"There is no account of {name}.")
        if not no_input and not _is_sure(player):
            raise CommandError("Nothing was closed.")
        closed = play.close_account(player, keeps_words=keep_words, at=play.now())
        self.stdout.write(f"The account is closed; its player is {closed} now.")


def _is_sure(player: Player) -> bool:
    try:
        return input(f"Close the account of {player} for good? Then type the name: ") == player.username
    except EOFError:
        return False
