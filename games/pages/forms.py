"""The forms of a table."""

from __future__ import annotations

import secrets

from django import forms
from django.utils.translation import gettext_lazy as _

WORDS = 120
RANDOM = 64


def new_entropy() -> str:
    """A hidden field's random share of a deal, for browsers that make none themselves."""
    return secrets.token_hex(RANDOM // 4)


class EntropyForm(forms.Form):
    """What a player adds to the deal's chance: words of their own if they like, and a random text that the browser's
    script replaces by one of its own (design 2.8)."""

    own_words = forms.CharField(
        label=_("Your words for the deal"),
        help_text=_("If you like: anything at all. It goes into the draw of cards, seats and huts."),
        max_length=WORDS,
        required=False,
    )
    entropy = forms.CharField(
        max_length=RANDOM,
        required=False,
        initial=new_entropy,
        widget=forms.HiddenInput(attrs={"data-entropy": ""}),
    )

    @property
    def share(self) -> str:
        """What goes into the deal: at most 185 characters, never empty. Only after `is_valid()`."""
        random = self.cleaned_data["entropy"] or new_entropy()
        return " ".join(filter(None, (self.cleaned_data["own_words"], random)))


class MoveForm(forms.Form):
    """A confirmed move. `key` names the submission: sent twice, played once."""

    ply = forms.IntegerField(min_value=0, max_value=60)
    move = forms.CharField(max_length=40)
    order = forms.CharField(max_length=40, required=False)
    key = forms.CharField(max_length=60, required=False)

    @property
    def text(self) -> str:
        """The move in notation, with the founding order if one was chosen. Only after `is_valid()`."""
        move, order = self.cleaned_data["move"], self.cleaned_data["order"]
        return f"{move.partition('=')[0]}={order}" if order else move

    @property
    def sender_key(self) -> str:
        """The sender's key or, without one, the move itself: the same move for the same ply is one submission.

        Marked, so that it can never be the key of a computer player that takes over the seat.
        """
        return "page-" + (self.cleaned_data["key"] or f"{self.cleaned_data['ply']}-{self.text}")


class AbandonForm(forms.Form):
    """Whether the player agrees to abandon the game."""

    agrees = forms.TypedChoiceField(choices=(("yes", "yes"), ("no", "no")), coerce=lambda text: text == "yes")
