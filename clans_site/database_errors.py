"""Why the database cannot be used, as an operator can mend it."""

from django.db import InternalError, OperationalError, ProgrammingError, connection
from django.db.migrations.executor import MigrationExecutor

from games.outage import refuses_writes

SAID = {
    "database is locked": "The database is locked: another process writes to it. Try again when it is done, or end it.",
    "database or disk is full": "The database cannot be written: the disk is full.",
    "disk I/O error": "The database cannot be read or written: is the disk full?",
    "attempt to write a readonly database": "The database cannot be written: do its files belong to another user?",
}
"""What is made of the errors of SQLite that its user can mend."""

ONLY_READS = "The database takes no writes: it copies another server, or is told to be read-only."
Fault = InternalError | OperationalError | ProgrammingError


def explain(error: Fault, *, migrates: bool) -> str:
    """Why the database cannot be used, in a sentence; empty where that is a fault of the program.

    Whoever `migrates` is not told that migrations are missing: until it is done, some always are. Asks the database
    itself where its error alone does not tell.
    """
    if said := SAID.get(str(error)):
        return said
    if isinstance(error, InternalError):
        return ONLY_READS if refuses_writes(error) else ""
    try:
        executor = MigrationExecutor(connection)
    except OperationalError:
        return f"The database cannot be reached: {str(error).splitlines()[0]}"
    if not migrates and executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "The database lacks tables or columns that this version needs: run `manage.py migrate` first."
    return ""
