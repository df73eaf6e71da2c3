"""Sessions: which there are, what is in them, and as documents."""
