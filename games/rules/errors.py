"""What the rules say when they refuse something, in sentences that a player understands and a site can translate."""


def gettext_noop(message: str) -> str:
    """The message itself: marks an English sentence for the collectors of translations."""
    return message


def quotable(text: str, most: int) -> str:
    """The first letters of a text that cannot be read, at most so many, for a sentence: what nobody sees is escaped, as
    in `\\n`."""
    return repr(text[:most])[1:-1]


class ClansError(ValueError):
    """Something that the rules refuse.

    `code` names the reason for programs, `template` is the English sentence with `%(name)s` places, `params` fills
    them; `str(error)` is the filled English sentence. `params` holds plain strings and numbers only.
    """

    def __init__(self, code: str, template: str, **params: str | int) -> None:
        super().__init__(template % params)
        self.code = code
        self.template = template
        self.params = params


class InvalidMove(ClansError):
    """A text that cannot be read as a move."""


class InvalidPosition(ClansError):
    """A text that cannot be read as a position, or a position that no game can reach."""


class InvalidOpening(ClansError):
    """An opening or a deal that rules 2 do not allow."""


class UnknownRuleset(ClansError):
    """A map or a version of the rules that is not known here."""


class InvalidRecord(ClansError):
    """A record that cannot be read, or whose moves or result are not what the rules make of them."""
