"""Search over recorded sessions: an index of their words, and which sessions have what."""
