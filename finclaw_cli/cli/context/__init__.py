"""The command `context`."""
