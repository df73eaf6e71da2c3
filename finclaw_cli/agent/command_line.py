"""Settings that are about stdin, stdout and the terminal: no options of an agent."""

OF_COMMAND_LINE = frozenset({"output", "events", "deltas", "stream", "plain", "stdin_timeout", "approval"})
