#!/usr/bin/env python
"""Django's command line for this site. It says in a sentence what an operator can mend; `--traceback` shows all."""

import errno
import os
import signal
import sys

from django.core.management import execute_from_command_line
from django.db import InternalError, OperationalError, ProgrammingError

from clans_site.database_errors import explain


def run(arguments: list[str]) -> int:
    """Do what the command line says; what comes back is for the shell."""
    try:
        execute_from_command_line(arguments)
    except (InternalError, OperationalError, ProgrammingError) as error:
        why = explain(error, migrates="migrate" in arguments)
        if not why or "--traceback" in arguments:
            raise
        print(why, file=sys.stderr)
        return os.EX_TEMPFAIL  # a mail server that calls a command keeps the mail
    except BrokenPipeError:  # such as `export_games | head`
        write_no_more()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno != errno.ENOSPC or "--traceback" in arguments:
            raise
        write_no_more()
        print("The disk is full.", file=sys.stderr)
        return os.EX_IOERR
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return os.EX_OK


def write_no_more() -> None:
    """Drop what was to be printed yet: Python would try once more at its end, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")
    sys.exit(run(sys.argv))
