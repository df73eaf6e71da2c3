"""Words and services: the values everybody speaks in, and the protocols behind which everybody works."""
