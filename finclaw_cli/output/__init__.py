"""Events for people and pipes."""
