"""What can be wrong with the store, EDGAR or OpenDART, as errors for the user; files have the SDK's `FileProblem`."""

from __future__ import annotations


class StoreProblem(Exception):
    """The store cannot be used: it belongs to something else, is newer than we are, is damaged or is busy."""


class LiveProblem(Exception):
    """A register gave nothing that may be taken for data; `code` is the one that the tools' errors begin with."""

    def __init__(self, why: str, *, code: str = "NO_DATA", outage: bool = False) -> None:
        super().__init__(why)
        self.code = code
        self.outage = outage
