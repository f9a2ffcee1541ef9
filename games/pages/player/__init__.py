"""What is a player's own: preferences, mail, feeds, webhooks, vacation. The page that others see of a player is
games/pages/lists/player_page.py."""
