"""The read API under `/api/v1/`: what pages show, for programs. It changes nothing.

Its parts are reached by their names in `games.urls` (addresses) and the settings (`problems.answer_by_problems`).
"""
