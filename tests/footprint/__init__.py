"""What a command costs, counted and not timed: modules, packages, instructions."""
