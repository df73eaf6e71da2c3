"""Batches on many machines: the queue and the transcripts of runs in PostgreSQL."""
