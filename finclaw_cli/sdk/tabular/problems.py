"""What can be wrong with a file, a cell or an option; each message is for the user."""

from __future__ import annotations


class FileProblem(Exception):
    """A file that cannot be read as a whole; the message has the reason and what to do."""


class BadCell(ValueError):
    """A cell that cannot be read; the message is the reason that its row is rejected for."""


class BadOption(ValueError):
    """An invalid option for a file; the message has the reason."""
