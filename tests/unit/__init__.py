"""Single pieces through their public services."""
