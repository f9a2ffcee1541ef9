"""The page of one table: its board, what stands beside it, the draft of a move, and the actions of players."""
