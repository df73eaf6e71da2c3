"""finclaw: a command-line finance agent."""
