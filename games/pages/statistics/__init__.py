"""Statistics of the whole archive: a page with charts, and a file for programs."""
