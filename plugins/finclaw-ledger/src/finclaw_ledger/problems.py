"""What can be wrong with a file, an option or the books, in words for the person whose they are."""

from __future__ import annotations


class FileProblem(Exception):
    """The file as a whole cannot be read as a statement; says what to do about it."""


MEND = "it is damaged: move it away, with its -wal file if there is one, and import your files again"


class StoreProblem(Exception):
    """The books cannot be used: damaged, newer than we are, or not ours."""


class BadOption(ValueError):
    """What was said about a file cannot be right; the message says why."""


class BadCell(ValueError):
    """One cell cannot be read; the message is the reason shown for its row."""
