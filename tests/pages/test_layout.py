"""Pages in the layout."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.template.backends.django import DjangoTemplates
from django.test import RequestFactory

PAGES = (
    "{% block title %}A title{% endblock %}{% block content %}<p>{{ name }}</p>{% endblock %}",
    "{% block main %}{{ name }}{% block content %}in it{% endblock %}{% endblock %}",
    "{% block content %}{% if name %}{% block deeper %}deeper{% endblock %}{% endif %}{% endblock %}",
    "{% block description %}{{ block.super }} And {{ name }}.{% endblock %}",
    "{% block content %}{% include 'games/_answers.html' %}{% endblock %}out of sight",
    "",
)


def templates(*, builtins: list[str]) -> DjangoTemplates:
    [ours] = settings.TEMPLATES
    options = {"context_processors": [], "builtins": builtins}
    return DjangoTemplates({"NAME": "", "DIRS": ours["DIRS"], "APP_DIRS": True, "OPTIONS": options})


@pytest.mark.parametrize("page", PAGES)
def test_it_fills_the_layout_as_django_does(rf: RequestFactory, page: str) -> None:
    ours, django = (templates(builtins=builtins) for builtins in (["games.templatetags.layout"], []))
    for name in ("alice", "bob"):
        context = {"name": name, "can_take_day": True}
        shown, wanted = (
            kind.from_string('{% extends "base.html" %}' + page).render(dict(context), rf.get("/"))
            for kind in (ours, django)
        )
        assert shown == wanted
