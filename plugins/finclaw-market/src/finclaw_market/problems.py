"""The error of the price store."""

from __future__ import annotations


class StoreProblem(Exception):
    """The price store cannot be used: it belongs to something else, is newer than we are, or is busy."""
