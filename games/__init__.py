"""Clans by mail: the one Django app (docs/architecture.md tells its rooms)."""
