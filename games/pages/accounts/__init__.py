"""How people sign up, sign in, and close their account."""
