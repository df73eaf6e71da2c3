"""The terminal: line input, its modes, signals."""
