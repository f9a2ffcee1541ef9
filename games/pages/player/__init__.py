"""What is a player's own: preferences, mail, feeds, webhooks, vacation."""
