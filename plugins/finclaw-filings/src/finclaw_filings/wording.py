"""Text from outside as it may appear in what we say: visible characters only, on one line, bounded."""

from __future__ import annotations

import re
import unicodedata

_MAX_ECHOED = 60
_SPACES = re.compile(r"\s+")
# Invisible, unassigned or turning text around; they would shift offsets where the text is cleaned later.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_SUSPECT = re.compile(
    r"[^\n\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u20a0-\u20cf\u3001-\u3163\u3165-\u9fff\uac00-\ud7a3]"
)


def one_line(text: str) -> str:
    """The text on one line, without what does not print."""
    return _SPACES.sub(" ", visible(text)).strip()


def bounded(text: str, limit: int) -> str:
    """The text on one line, cut after `limit` characters."""
    line = one_line(text[: limit * 4])
    return line if len(line) <= limit else line[:limit] + "…"


def echoed(text: str) -> str:
    """Input as quoted in an error, shortened."""
    return f"'{bounded(text, _MAX_ECHOED)}'"


def visible(text: str) -> str:
    """The text with line breaks as they are, other blanks as spaces, and without characters that cannot be seen."""
    return _SUSPECT.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    mark = found.group()
    if mark.isspace():
        return " "
    hidden = unicodedata.category(mark) in _HIDDEN or mark in _FILLERS or "\ufe00" <= mark <= "\ufe0f"
    return "" if hidden or mark >= "\U000e0000" else mark
