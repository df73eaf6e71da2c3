"""Events for the disk."""
