"""Which models there are."""
