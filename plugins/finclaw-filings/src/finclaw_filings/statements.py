"""Finding the financial statements where their item only refers to them: among the exhibits, after the signatures."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

# Titles that stand on a line of their own; in tables of contents a page follows them.
_INDEX = re.compile(r"^INDEX TO (?:THE )?(?:[A-Z]{1,15} ){0,3}FINANCIAL STATEMENTS$", re.IGNORECASE | re.MULTILINE)
_TITLE = re.compile(
    r"^(?:REPORTS? OF INDEPENDENT REGISTERED (?:PUBLIC ACCOUNTING|ACCOUNTING) FIRM|INDEPENDENT AUDITORS?[’']? REPORT"
    r"|(?:(?:UNAUDITED|AUDITED|INTERIM|CONDENSED|CONSOLIDATED|COMBINED) ){0,3}(?:BALANCE SHEETS?|STATEMENTS? OF "
    r"(?:OPERATIONS|INCOME|EARNINGS|(?:COMPREHENSIVE|FINANCIAL) [A-Z]{4,10}|CASH FLOWS)))(?: \(UNAUDITED\))?:?$",
    re.IGNORECASE | re.MULTILINE,
)
_BALANCE = re.compile(r"^total (?:assets|liabilities)\b[^\n]{0,80}\d", re.IGNORECASE | re.MULTILINE)
# A title that comes more often is a page header that leads back to the index.
_MOST_INDEXES = 3


def has_statements(text: str, start: int, stop: int) -> bool:
    """Whether a balance sheet is in that part of a text."""
    return _BALANCE.search(text, start, stop) is not None


def statements_start(text: str, parts: Sequence[tuple[int, int]]) -> int | None:
    """Where the longest block of financial statements begins, in the parts of a text that may hold it."""
    indexes = [found.start() for found in _INDEX.finditer(text)]
    titles = [found.start() for found in _TITLE.finditer(text)]
    starts = sorted([*titles, *(indexes if len(indexes) <= _MOST_INDEXES else [])])
    blocks: list[tuple[int, int]] = []
    for first, last in parts:
        at = bisect_left(starts, first)
        if at < len(starts) and starts[at] < last and has_statements(text, starts[at], last):
            blocks.append((last - starts[at], starts[at]))
    return max(blocks)[1] if blocks else None
