"""How a mail gets to the mail server or provider, and how what comes back gets in."""
