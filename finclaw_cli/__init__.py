"""finclaw: a command-line finance agent."""

__version__ = "0.1.0"
