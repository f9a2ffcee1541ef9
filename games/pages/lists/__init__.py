"""Tables in lists: the first page, the archive, what is open, a new table, the next one."""
