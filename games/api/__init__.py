"""The read API under `/api/v1/`: what pages show, for programs. It changes nothing.

Its parts are reached by their names in `games.urls` (addresses) and the settings (`problems.tell_errors_as_problems`).
"""
