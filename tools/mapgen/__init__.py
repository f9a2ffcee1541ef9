"""Makes the map of the game from a seed: the board for the rules, the outlines for the drawing.

It runs by hand (`python -m tools.mapgen --seed N`), never live. Only +, -, *, / and square roots of
floats are used, so that one seed gives the same bytes wherever it runs.
"""
