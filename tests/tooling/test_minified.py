from __future__ import annotations

import re
from pathlib import Path

from django.core.files.storage import FileSystemStorage

from clans_site.minified import MINIFIERS, MinifiedStaticFilesStorage, minify_script, minify_style

STATIC = Path(__file__).parents[2] / "games/static"
STYLE = """
/* Said of it. */
@layer parts {
  .ledger :is(th, td), /* or */ .a > .b + .c {
    margin: 0 calc(1px + 2px);
    content: "a  ;  b";
  }

  @media (width >= 60rem) { .a { &:hover { color: red; } } }
}
"""


def test_it_leaves_only_the_blanks_that_mean_something() -> None:
    rule = '.ledger :is(th,td),.a>.b+.c{margin:0 calc(1px + 2px);content:"a  ;  b"}'
    assert minify_style(STYLE) == f"@layer parts{{{rule}@media(width >= 60rem){{.a{{&:hover{{color:red}}}}}}}}"


def test_it_shortens_the_names_that_no_other_script_can_see() -> None:
    script = """
// What it is for.
"use strict";

(() => {
  const { say } = window.clans;
  const told = (name, huts) => `${name}: ${huts ? `${huts}  huts` : "none"}`;
  window.clans.tell = (name) => say(told(name, 3)); // to those who listen
})();
"""
    served = minify_script(script)
    assert "told" not in served
    assert "What it is for" not in served
    assert all(kept in served for kept in ('"use strict"', "window.clans.tell=", "}  huts`", "say"))


def test_it_serves_our_files_minified_under_names_with_hashes(tmp_path: Path) -> None:
    source = FileSystemStorage(location=STATIC)
    storage = MinifiedStaticFilesStorage(location=tmp_path, base_url="/static/")
    names = [str(path.relative_to(STATIC)) for path in STATIC.rglob("*") if path.is_file()]
    for _again in range(2):
        for name in names:
            storage.delete(name)
            with source.open(name) as file:
                storage.save(name, file)
        done: dict[str, str] = {}
        for name, stored, _is_new in storage.post_process({name: (source, name) for name in names}):
            done.setdefault(name, stored)
    for name in ("games/board.css", "games/draft.js"):
        served = (tmp_path / done[name]).read_text("utf-8")
        assert served == MINIFIERS[Path(name).suffix]((STATIC / name).read_text("utf-8"))
        assert re.fullmatch(r"games/\w+\.[0-9a-f]{12}\.\w+", done[name])
    marks = (tmp_path / done["games/parts.css"]).read_text("utf-8")
    assert Path(done["games/marks.svg"]).name in marks
    assert (tmp_path / done["games/verify_deal.py"]).read_bytes() == (STATIC / "games/verify_deal.py").read_bytes()
