"""What can be wrong with a file, an option or the books, in words for the person whose they are."""

from __future__ import annotations


class FileProblem(Exception):
    """The file as a whole cannot be read as a statement; the message has a remedy."""


MEND = "it is damaged: move it away, with its -wal file if there is one, and import your files again"


class StoreProblem(Exception):
    """The books cannot be used: damaged, newer than we are, or not ours."""


class BadOption(ValueError):
    """An invalid option for a file; the message has the reason."""


class BadCell(ValueError):
    """One cell cannot be read; the message is the reason shown for its row."""
