"""The command `skills`."""
