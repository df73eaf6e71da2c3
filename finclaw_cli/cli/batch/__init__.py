"""The command `batch`."""
