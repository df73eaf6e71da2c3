"""The command `replay`."""
