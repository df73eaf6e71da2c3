"""The command `prompt`."""
