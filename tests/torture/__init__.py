"""Torture: players move, mail goes out, and all the while processes of the site are killed as by a power cut.

`python -m tests.torture --kills 1000 --moves 5000` is the long run (`make torture`); the tests run a short one.
"""
