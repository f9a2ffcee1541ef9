"""Learning the game: the rules with boards to play on, and a practice game without an account."""
