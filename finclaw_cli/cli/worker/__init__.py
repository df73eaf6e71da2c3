"""The command `worker`."""
