"""What the operator sees. Secrets are secret from the operator too: no card, no seed and no player's words for the deal
are here, neither in lists, forms and searches nor by way of a filter typed into the address. Nothing here plays, and
nothing here lets the operator sign in as somebody else: no password, address or passkey is changed.
"""

from games.admin import accounts, mails, seasons, tables, talk
