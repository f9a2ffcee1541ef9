"""Template tags of the site."""

from __future__ import annotations

from django import template

from games.pages.picture import link_preview
from games.pages.times import when

register = template.Library()
register.simple_tag(when)
register.simple_tag(link_preview)
