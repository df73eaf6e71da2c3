"""Words and doors: the values everybody speaks in, and the protocols behind which everybody works."""
