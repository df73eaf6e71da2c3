"""Single pieces through their public doors."""
