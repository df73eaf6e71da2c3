"""The command `models`."""
