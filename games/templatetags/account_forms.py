"""Fields of forms of allauth, with labels and help in our words."""

from __future__ import annotations

from textwrap import wrap

from django import forms, template
from django.forms.boundfield import BoundField
from django.urls import reverse

from games.pages.player.mailbox import is_tried_out

register = template.Library()


@register.inclusion_tag("_field.html")
def labeled(field: BoundField, label: str, *, help: str = "", **attrs: str | bool) -> dict[str, object]:  # noqa: A002
    """One field with this label and help; further attributes go to its input. No placeholder repeats the label. In
    a form that was refused, the first field to correct has the focus."""
    field.label, field.help_text = label, help
    focus = {"autofocus": True} if _is_to_correct(field) else {}
    return {
        "field": field,
        "widget": field.as_widget(attrs={"placeholder": False, **attrs, **focus}),
        "is_choice": isinstance(field.field, forms.BooleanField),
    }


def _is_to_correct(field: BoundField) -> bool:
    """Whether this is the first field with an error, and nothing is wrong with the whole form, which comes before."""
    refused = [one.name for one in field.form.visible_fields() if one.errors]
    return not field.form.non_field_errors() and refused[:1] == [field.name]


@register.filter
def in_fours(key: str) -> str:
    """The key of an app in groups of four letters, as people read and type it. Apps pass over the blanks."""
    return " ".join(wrap(key, 4))


@register.simple_tag
def mailbox_address() -> str:
    """Where mails are read on a site that is being tried out; empty on a real one."""
    return reverse("mailbox") if is_tried_out() else ""
