"""The command `agents`."""
