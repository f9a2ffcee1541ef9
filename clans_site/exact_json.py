"""The JSON of `dumpdata`, with the microseconds of times, which Django cuts off: the hashes of moves cover them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.serializers import json
from django.db.models import Model

Deserializer = json.Deserializer


class ExactEncoder(json.DjangoJSONEncoder):
    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


class Serializer(json.Serializer):
    def serialize(self, queryset: Iterable[Model], **options: Any) -> Any:
        return super().serialize(queryset, cls=ExactEncoder, **options)
