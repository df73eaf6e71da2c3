"""The error of the books."""

from __future__ import annotations

MEND = "it is damaged: move it away, with its -wal file if there is one, and import your files again"


class StoreProblem(Exception):
    """The books cannot be used: damaged, newer than we are, or not ours."""
