"""Text of filings as it is stored: visible characters only."""

from __future__ import annotations

import re
import unicodedata

# Invisible, unassigned or turning text around; they would shift offsets where the text is cleaned later.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_SUSPECT = re.compile(
    r"[^\n\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u20a0-\u20cf\u3001-\u3163\u3165-\u9fff\uac00-\ud7a3]"
)


def one_line(text: str) -> str:
    """The text on one line, with single spaces and visible characters only."""
    return " ".join(visible(text).split())


def visible(text: str) -> str:
    """The text with line breaks as they are, other blanks as spaces, and without characters that cannot be seen."""
    return _SUSPECT.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    mark = found.group()
    if mark.isspace():
        return " "
    hidden = unicodedata.category(mark) in _HIDDEN or mark in _FILLERS or "\ufe00" <= mark <= "\ufe0f"
    return "" if hidden or mark >= "\U000e0000" else mark
