"""The command `sessions`."""
