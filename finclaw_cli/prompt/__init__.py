"""What the model is told first."""
