"""The figures of an answer, and where they come from."""
