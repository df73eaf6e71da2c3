"""The rules that a plugin is checked against, one module for each kind."""
