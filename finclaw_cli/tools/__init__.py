"""Running what the model asked for."""
