"""The rules a plugin is held against, one module for each kind."""
