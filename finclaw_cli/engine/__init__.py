"""The loop: ask the model, run what it asked for, ask again."""
