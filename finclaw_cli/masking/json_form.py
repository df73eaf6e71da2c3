"""Whether a text is JSON, which decides what may be cut out of it and what stands for that."""

from __future__ import annotations

import json
import re

_HEAD = re.compile(r'\s*+(?:\{\s*["}]|\[|"|[-0-9tfn])')
_ENDS = {"{": "}", "[": "]", '"': '"'}


def is_json(text: str) -> bool:
    """Whether a text is one JSON value, or one a line. What is nested too deeply to be read counts as none."""
    if not _looks_like_json(text):
        return False
    return _is_value(text) or ("\n" in text and all(_is_value(line) for line in text.split("\n") if line.strip()))


def _looks_like_json(text: str) -> bool:
    """Judged by its two ends: most texts need not be parsed."""
    last = text[-64:].rstrip()[-1:]
    head = _HEAD.match(text)
    first = head.group().lstrip()[:1] if head else ""
    return bool(first) and last in _ENDS.get(first, "0123456789e")


def _is_value(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
