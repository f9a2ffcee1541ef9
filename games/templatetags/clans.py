"""Template tags of the site."""

from __future__ import annotations

from django import template

from games.caching import active_language
from games.drawing import map_url
from games.pages.access import link_drawn, link_seat
from games.pages.replay.picture import link_preview
from games.pages.table.clock import mail_choice
from games.pages.table.notebook import sheet_head
from games.pages.table.side import epoch_rows
from games.pages.times import when
from games.words import name_clan
from games.words.pace import say_terms

register = template.Library()
register.simple_tag(active_language)
register.simple_tag(when)
register.simple_tag(epoch_rows)
register.simple_tag(link_preview)
register.simple_tag(link_drawn)
register.simple_tag(link_seat)
register.simple_tag(mail_choice)
register.simple_tag(map_url)
register.simple_tag(name_clan)
register.simple_tag(say_terms)
register.inclusion_tag("games/_sheet_head.html")(sheet_head)
