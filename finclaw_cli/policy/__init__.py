"""May this call happen? Pure functions only."""
