"""The command `cost`."""
