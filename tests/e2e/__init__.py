"""The installed command in a process of its own."""
