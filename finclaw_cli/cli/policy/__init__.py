"""The command `policy`."""
