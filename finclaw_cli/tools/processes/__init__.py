"""Processes and threads that tools start: how they are tracked and ended."""
