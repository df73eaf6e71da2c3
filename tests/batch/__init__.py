"""Batches: the queue, the runner, the command."""
