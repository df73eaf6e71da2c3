"""What can be wrong with a file or with the store, in words for the person who gave it."""

from __future__ import annotations


class FileProblem(Exception):
    """The file as a whole cannot be read as prices; the message has a remedy."""


class StoreProblem(Exception):
    """The price store cannot be used: it belongs to something else, is newer than we are, or is busy."""


class BadCell(ValueError):
    """One cell cannot be read; the message is the reason shown for its row."""


class BadOption(ValueError):
    """An invalid option for a file; the message has the reason."""
