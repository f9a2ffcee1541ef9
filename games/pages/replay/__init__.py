"""A game as it stood at any ply: replay, try-out, pictures, the fair deal."""
