"""Where streamed Markdown can be cut, so that what stands before the cut never changes again."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n(?=[^\s\-*+\d>|])")


def settled_length(text: str) -> int:
    """How many characters at the start are whole blocks: up to the last blank line outside a fence.

    A blank line counts only when the next block has begun and is no list item, quote or table row, which could
    belong to what stands before it.
    """
    fences = [found.start() for found in _FENCE.finditer(text)]
    end = fences[-1] if len(fences) % 2 else len(text)
    settled = 0
    for found in _BLANK.finditer(text, 0, end):
        if sum(start < found.start() for start in fences) % 2 == 0:
            settled = found.end()
    return settled
