"""A game at any of its plies: replay, try-out, pictures, the fair deal."""
