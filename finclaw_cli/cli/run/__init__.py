"""The command `run`: from the command line to the answer."""
