"""Another sender that takes a mail over while the first one still works on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from games.models import OutgoingMail


@contextmanager
def taken_over(rows: type[OutgoingMail]) -> Iterator[None]:
    """Each row of this sort has another holder at the moment at which its content is to be stored."""

    def take_over(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if sql.startswith(f'UPDATE "{rows._meta.db_table}"') and '"packed_html" = ' in sql:
            rows._default_manager.update(claim="another")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(take_over):
        yield
