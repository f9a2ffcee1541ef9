"""Parts of pages that are rendered once."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.test import RequestFactory
from django.utils import translation


def test_it_renders_a_part_once_for_each_value() -> None:
    page = Template("{% load kept %}{% kept name %}{{ name }} {{ other }}{% endkept %}")
    assert page.render(Context({"name": "alice", "other": 1})) == "alice 1"
    assert page.render(Context({"name": "bob", "other": 2})) == "bob 2"
    assert page.render(Context({"name": "alice", "other": 3})) == "alice 1"


def test_it_renders_a_part_again_in_another_language() -> None:
    page = Template("{% load i18n kept %}{% kept %}{% get_current_language as now %}{{ now }}{% endkept %}")
    with translation.override("en"):
        assert page.render(Context()) == "en"
    with translation.override("de"):
        assert page.render(Context()) == "de"


def test_it_tells_apart_attributes_and_what_functions_give() -> None:
    page = Template("{% load kept %}{% kept person.name count %}{{ person.name }} {{ count }}{% endkept %}")
    for name, count in (("alice", 1), ("alice", 2), ("bob", 2), (None, 2)):
        context = Context({"person": SimpleNamespace(name=name) if name else None, "count": partial(int, count)})
        assert page.render(context) == f"{name or ''} {count}"


@pytest.mark.parametrize("names", ["nmae", "count nmae", "person.nmae", "nmae.name"])
def test_it_fails_for_a_name_that_the_page_does_not_have(rf: RequestFactory, names: str) -> None:
    """Else what was rendered for one reader would be shown to all."""
    page = Template("{% load kept %}{% kept " + names + " %}{% endkept %}")
    known = {"request": rf.get("/"), "person": SimpleNamespace(name="alice"), "count": 1}
    with pytest.raises((KeyError, AttributeError), match="nmae"):
        page.render(Context(known))


def test_it_takes_what_a_value_that_is_none_would_have_for_none(rf: RequestFactory) -> None:
    page = Template("{% load kept %}{% kept person.name.first %}{{ other }}{% endkept %}")
    for person in (None, SimpleNamespace(name=None)):
        assert page.render(Context({"request": rf.get("/"), "person": person, "other": 1})) == "1"


@pytest.mark.parametrize("names", ["name|lower", '"name"', "name..first"])
def test_it_takes_names(names: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        Template("{% load kept %}{% kept " + names + " %}{% endkept %}")


def test_it_keeps_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.templatetags.kept.MOST", 2)
    page = Template("{% load kept %}{% kept name %}{{ name }}{{ other }}{% endkept %}")
    for name in "abc":
        page.render(Context({"name": name, "other": 1}))
    assert page.render(Context({"name": "a", "other": 2})) == "a2"


def test_it_does_not_keep_the_token_of_a_form() -> None:
    page = Template("{% load kept %}{% kept %}{% csrf_token %}{{ name }}{% csrf_token %}{% endkept %}")
    for token, name in (("first", "alice"), ("second", "bob")):
        field = f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">'
        assert page.render(Context({"csrf_token": token, "name": name})) == f"{field}alice{field}"


def test_it_puts_the_token_into_a_part_within_another() -> None:
    page = Template("{% load kept %}{% kept a %}{% kept b %}{% csrf_token %}{% endkept %}{{ a }}{% endkept %}")
    for token in ("first", "second"):
        for a in (1, 2):
            rendering = page.render(Context({"csrf_token": token, "a": a, "b": 0}))
            assert rendering == f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">{a}'


def test_it_does_not_keep_the_nonce_of_a_script() -> None:
    with pytest.raises(TemplateSyntaxError):
        Template('{% load files kept %}{% kept %}{% script "games/site.js" %}{% endkept %}')


def test_it_names_scripts_and_styles(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.csp_nonce = "once"  # type: ignore[attr-defined]
    page = Template('{% load files %}{% style "games/base.css" %}{% script "games/site.js" "games/join.js" %}')
    assert page.render(Context({"request": request})) == (
        '<link rel="stylesheet" href="/static/games/base.css">'
        '<script src="/static/games/site.js" nonce="once" defer></script>'
        '<script src="/static/games/join.js" nonce="once" defer></script>'
    )


@pytest.mark.parametrize("tag", ["{% style %}", "{% script games/site.js %}", '{% script "a.js" b.js %}'])
def test_it_takes_the_names_of_files(tag: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        Template("{% load files %}" + tag)
