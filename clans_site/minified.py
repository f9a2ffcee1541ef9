"""Stylesheets and scripts as browsers get them: without comments, indents and line breaks, and with short local names.
With DEBUG on they are served as they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

import tinycss2
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage


def minify_style(css: str) -> str:
    """The same rules with one blank where any are left, and none beside braces, semicolons, `>` and `+`, nor after
    colons.

    It goes by tokens, because a blank can mean something: `.ledger :is(th)` is not `.ledger:is(th)`.
    """
    return str(tinycss2.serialize(_squeeze(tinycss2.parse_component_value_list(css, skip_comments=True))))


def _squeeze(pieces: Iterable[Any]) -> list[Any]:
    kept: list[Any] = []
    for piece in pieces:
        if piece.type == "{} block":
            piece.content = _squeeze(piece.content)
        if piece.type == "whitespace":
            if not kept or _ends(kept[-1]) or kept[-1].type == "whitespace":
                continue
            piece.value = " "
        elif _parts(piece) and kept and kept[-1].type == "whitespace":
            kept.pop()
        kept.append(piece)
    while kept and (kept[-1] == ";" or kept[-1].type == "whitespace"):
        kept.pop()
    return kept


def _parts(piece: Any) -> bool:
    """Whether it separates what is before and after it without a blank."""
    return bool(piece in (";", ">", "+") or piece.type == "{} block")


def _ends(piece: Any) -> bool:
    """Whether what follows needs no blank before it; a blank before a colon means something."""
    return _parts(piece) or bool(piece == ":")


def minify_script(script: str) -> str:
    """The same statements; names that no other script can see have a letter or two."""
    # Only who collects the files loads it: it is a program in Go with threads of its own.
    import minify

    return str(minify.string("application/javascript", script))


MINIFIERS: Mapping[str, Callable[[str], str]] = {".css": minify_style, ".js": minify_script}


class MinifiedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Whitenoise's storage, which gives files names with hashes, for files of ours that are minified before."""

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        ours = [name for name in paths if name.startswith("games/") and PurePath(name).suffix in MINIFIERS]
        for name in ours if not dry_run else ():
            self._minify(name, *paths[name])
            paths[name] = (self, name)
        yield from super().post_process(paths, dry_run, **options)

    def _minify(self, name: str, storage: Storage, path: str) -> None:
        """Put the minified file in the place of its copy."""
        with storage.open(path) as file:
            text = MINIFIERS[PurePath(name).suffix](file.read().decode())
        self.delete(name)
        self.save(name, ContentFile(text.encode()))
