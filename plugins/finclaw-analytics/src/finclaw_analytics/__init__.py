"""Finance mathematics for finclaw: pure functions, each number with its convention."""
