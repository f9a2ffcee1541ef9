"""Whom a player does not want to hear, or does not want at their tables. Nobody else learns of it."""

from __future__ import annotations

from datetime import datetime

from games.models import Game, Mute, Player, Postcard, Report, find_active
from games.play.favorites import remove_favorite
from games.words.refusals import MutesThemselves, NoSuchPlayer, NoSuchPostcard, NotWelcome


def mute_player(player: Player, other: Player, *, blocks: bool, at: datetime) -> Mute:
    """Let `player` read no postcard of `other` any more; with `blocks`, keep them from the tables of `player`, too, and
    from their list of favorites. Muting somebody who is blocked does not end the block. Raises MutesThemselves."""
    if player == other:
        raise MutesThemselves
    with player.locked():
        mute, _is_new = Mute.objects.get_or_create(player=player, other=other, defaults={"blocks": blocks, "at": at})
        if blocks and not mute.blocks:
            mute.blocks = True
            mute.save(update_fields=("blocks",))
        if blocks:
            remove_favorite(player, other.pk)
    return mute


def mute_player_called(name: str, *, player: Player, blocks: bool, at: datetime) -> Mute:
    """Mute the player with this name, as `mute_player` does. Raises NoSuchPlayer, MutesThemselves."""
    other = find_active(name)
    if other is None:
        raise NoSuchPlayer
    return mute_player(player, other, blocks=blocks, at=at)


def unmute_player(player: Player, other: int, *, only_unblocks: bool = False) -> Player | None:
    """Hear the player of that key again, who may also sit down again; if it `only_unblocks`, they stay muted. Returns
    them, or None if they were not muted."""
    mute = Mute.objects.filter(player=player, other=other).select_related("other").first()
    if mute is None:
        return None
    if only_unblocks:
        mute.blocks = False
        mute.save(update_fields=("blocks",))
    else:
        mute.delete()
    return mute.other


def check_welcome(game: Game, player: Player) -> None:
    """Raise NotWelcome if the opener of an open table has blocked `player`."""
    if Mute.objects.filter(player=game.opener_id, other=player, blocks=True).exists():
        raise NotWelcome


def report_postcard(postcard: Postcard, *, player: Player, reason: str, at: datetime) -> Report:
    """Show a postcard of somebody else to the operator, with its present words. Reporting it again makes no second
    report. Raises NoSuchPostcard for one's own and for one that was emptied."""
    about = postcard.writer
    if postcard.state != Postcard.State.SHOWN or about is None or about == player:
        raise NoSuchPostcard
    fields = {"game": postcard.game, "about": about, "text": postcard.text, "reason": reason, "at": at}
    report, _is_new = Report.objects.get_or_create(fields, postcard=postcard, reporter=player)
    return report
