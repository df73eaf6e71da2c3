"""A portfolio as one object for finclaw: what it is worth, what it earned, and what to trade."""
