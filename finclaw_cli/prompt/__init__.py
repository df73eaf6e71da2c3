"""The system prompt."""
