"""The output of runs and commands, for terminals and pipes."""
