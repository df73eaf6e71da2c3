"""Time, crowding and failure, without knowing what a model or a tool is."""
