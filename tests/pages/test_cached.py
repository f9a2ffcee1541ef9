"""Parts of pages that are rendered once."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.template import Context, Engine, Template, TemplateSyntaxError
from django.test import RequestFactory
from django.utils import translation
from django.utils.safestring import SafeString

PARTIALS = {
    "name.html": "{{ name }} {{ other }}",
    "language.html": "{% load i18n %}{% get_current_language as now %}{{ now }}",
    "person.html": "{{ person.name }} {% if person.is_old %}old{% endif %}",
    "gap.html": "{% if flag %}{{ name }}{% endif %}-{{ person.name }}-{{ name }}",
    "address.html": '{% url "try_out" pov.slug pov.ply %}',
    "form.html": "{% csrf_token %}{{ name }}{% csrf_token %}",
    "asks.html": "{% if name %}{{ name }}{% endif %}",
    "script.html": '{% load files %}{% script "games/site.js" %}',
}


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    for name, text in PARTIALS.items():
        (tmp_path / name).write_text(text)
    libraries = {name: f"games.templatetags.{name}" for name in ("caching", "files")}
    libraries["i18n"] = "django.templatetags.i18n"
    # Each look reads the file again.
    loader = ("django.template.loaders.filesystem.Loader", [str(tmp_path)])
    return Engine(loaders=[loader], libraries=libraries)


def page(engine: Engine, tag: str) -> Template:
    return engine.from_string("{% load caching %}{% cached " + tag + " %}")


def test_it_renders_a_part_once_for_each_value(engine: Engine, tmp_path: Path) -> None:
    part = page(engine, '"name.html" name')
    assert part.render(Context({"name": "alice"})) == "alice "
    assert part.render(Context({"name": "bob"})) == "bob "
    (tmp_path / "name.html").write_text("changed")
    assert part.render(Context({"name": "alice"})) == "alice "


def test_it_shows_the_part_nothing_but_the_values_that_are_named(engine: Engine) -> None:
    """Else what was rendered for one reader could be shown to another."""
    assert page(engine, '"name.html" name').render(Context({"name": "alice", "other": "secret"})) == "alice "


@pytest.mark.usefixtures("two_languages")
def test_it_renders_a_part_again_in_another_language(engine: Engine) -> None:
    part = page(engine, '"language.html"')
    for language in ("en", "de", "en"):
        with translation.override(language):
            assert part.render(Context()) == language


def test_it_tells_attributes_apart(engine: Engine) -> None:
    part = page(engine, '"person.html" person.name person.is_old')
    for name, is_old in (("alice", True), ("alice", False), ("bob", False)):
        context = Context({"person": SimpleNamespace(name=name, is_old=is_old)})
        assert part.render(context) == f"{name} {'old' if is_old else ''}"


def test_it_fills_in_what_comes_after_with(engine: Engine) -> None:
    part = page(engine, '"gap.html" flag with name person.name')
    for flag in (True, False):
        for name, other in (("<alice>", SafeString("<b>")), ("bob", "&"), (1, None)):
            about: dict[str, Any] = {"name": name, "flag": flag, "person": {"name": other}}
            wanted = engine.from_string(PARTIALS["gap.html"]).render(Context(about))
            assert part.render(Context(about)) == wanted
    assert part.render(Context({"flag": True})) == "--"


def test_it_fills_in_addresses(engine: Engine) -> None:
    part = page(engine, '"address.html" with pov.slug pov.ply')
    for slug, ply in (("one", 3), ("two", 14)):
        context = Context({"pov": SimpleNamespace(slug=slug, ply=ply)})
        assert part.render(context) == f"/tables/{slug}/ply/{ply}/try/"


def test_it_does_not_cache_the_token_of_a_form(engine: Engine) -> None:
    part = page(engine, '"form.html" with name')
    for token, name in (("first", "alice"), ("second", "bob")):
        field = f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">'
        assert part.render(Context({"csrf_token": token, "name": name})) == f"{field}{name}{field}"


def test_it_refuses_to_ask_about_what_is_filled_in(engine: Engine) -> None:
    with pytest.raises(TypeError, match="filled in"):
        page(engine, '"asks.html" with name').render(Context({"name": ""}))


def test_it_does_not_cache_the_nonce_of_a_script(engine: Engine) -> None:
    with pytest.raises(TemplateSyntaxError):
        page(engine, '"script.html"').render(Context())


@pytest.mark.parametrize("tag", ["", "name.html", '"name.html" name|lower', '"name.html" "name"', '"name.html" a..b'])
def test_it_takes_a_partial_and_names(engine: Engine, tag: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        page(engine, tag)


def test_it_caches_no_more_than_it_may(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.templatetags.caching.MOST", 2)
    part = page(engine, '"name.html" name')
    for name in "abc":
        part.render(Context({"name": name}))
    (tmp_path / "name.html").write_text("changed")
    assert [part.render(Context({"name": name})) for name in "cba"] == ["c ", "b ", "changed"]


def test_it_names_scripts_and_styles(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.csp_nonce = "once"  # type: ignore[attr-defined]
    page = Template('{% load files %}{% style "games/base.css" %}{% script "games/site.js" "games/poll.js" %}')
    assert page.render(Context({"request": request})) == (
        '<link rel="stylesheet" href="/static/games/base.css">'
        '<script src="/static/games/site.js" nonce="once" defer></script>'
        '<script src="/static/games/poll.js" nonce="once" defer></script>'
    )


@pytest.mark.parametrize("tag", ["{% style %}", "{% script games/site.js %}", '{% script "a.js" b.js %}'])
def test_it_takes_the_names_of_files(tag: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        Template("{% load files %}" + tag)
