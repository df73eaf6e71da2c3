"""The labelled set that measures the masking of private data, and its scoring."""
