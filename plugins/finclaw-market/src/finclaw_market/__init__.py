"""Prices and exchange rates: the user's own files in a local store, and tools that say where each number comes from."""
