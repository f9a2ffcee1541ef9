"""Stylesheets and scripts as browsers get them: without comments, indents and line breaks, and with short local names.
With DEBUG on they are served as they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage


def minify_style(css: str) -> str:
    """The same rules; colors and numbers may be written in a shorter way."""
    return _minified("text/css", css)


def minify_script(script: str) -> str:
    """The same statements; names that no other script can see have a letter or two."""
    return _minified("application/javascript", script)


def _minified(kind: str, text: str) -> str:
    # Only who collects the files loads it: it is a program in Go with threads of its own.
    import minify

    return str(minify.string(kind, text))


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
