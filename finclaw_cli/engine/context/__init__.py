"""What the model gets to see: how much it is, and what goes when it is too much."""
