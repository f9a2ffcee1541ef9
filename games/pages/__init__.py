"""Views and forms, one module per page; each reads through `games.pov` and writes through `games.play`."""
