#!/usr/bin/env python
"""Django's command line for this site. It says in a sentence what an operator can mend; `--traceback` shows all."""

import os
import signal
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError, connection
from django.db.migrations.executor import MigrationExecutor


def run(arguments: list[str]) -> int:
    """Do what the command line says; what comes back is for the shell."""
    try:
        execute_from_command_line(arguments)
    except (OperationalError, ProgrammingError) as error:
        why = _explain(error, migrates="migrate" in arguments)
        if not why or "--traceback" in arguments:
            raise
        print(why, file=sys.stderr)
        return os.EX_TEMPFAIL  # a mail server that calls a command keeps the mail
    except BrokenPipeError:  # such as `export_games | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return os.EX_OK


def _explain(error: Exception, *, migrates: bool) -> str:
    """Why the database cannot be used, where that is not a fault of the program; else nothing. When a migration fails,
    some are always missing: that is no reason."""
    if str(error) == "database is locked":
        return "The database is locked: another process writes to it. Try again when it is done, or end it."
    try:
        executor = MigrationExecutor(connection)
    except OperationalError:
        return f"The database cannot be reached: {str(error).splitlines()[0]}"
    if not migrates and executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "The database lacks tables or columns that this version needs: run `manage.py migrate` first."
    return ""


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")
    sys.exit(run(sys.argv))
