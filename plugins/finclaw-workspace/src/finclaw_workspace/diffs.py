"""What a change changes, as a unified diff that is never long and never slow."""

from __future__ import annotations

from collections.abc import Sequence

MAX_CHARS = 12_000
_MAX_LINES = 1500  # of what differs on either side: comparing costs up to their product
_MAX_LINE = 300
_CONTEXT = 3


def unified(old: str, new: str, name: str) -> str:
    """The diff between two texts; a summary where it would be too long to compute."""
    import difflib

    before, after = _lines(old), _lines(new)
    start = _same(before, after)
    end = _same(before[start:][::-1], after[start:][::-1])
    first = max(start - _CONTEXT, 0)
    left = before[first : min(len(before) - end + _CONTEXT, len(before))]
    right = after[first : min(len(after) - end + _CONTEXT, len(after))]
    removed, added = len(before) - end - start, len(after) - end - start
    if removed == added == 0:
        return "(no line changes)"
    if min(removed, added) > 0 and max(removed, added) > _MAX_LINES:
        return f"(too many changes to show: {removed:,} lines become {added:,} lines, from line {start + 1} on)"
    parts = difflib.unified_diff(left, right, f"a/{name}", f"b/{name}", n=_CONTEXT, lineterm="")
    return _bounded([_moved(part, first) if part.startswith("@@") else part for part in parts])


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        return lines[:-1]
    return [*lines[:-1], lines[-1] + "\n\\ No newline at end of file"]


def _same(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _moved(header: str, by: int) -> str:
    """The header of a hunk, whose line numbers were counted from where the comparing began."""
    _, old, new, _ = header.split(" ", 3)
    return f"@@ {_shifted(old, by)} {_shifted(new, by)} @@"


def _shifted(place: str, by: int) -> str:
    line, comma, count = place[1:].partition(",")
    return f"{place[0]}{int(line) + by}{comma}{count}"


def _bounded(lines: Sequence[str]) -> str:
    kept: list[str] = []
    size = 0
    for line in lines:
        short = line if len(line) <= _MAX_LINE else f"{line[:_MAX_LINE]}… ({len(line) - _MAX_LINE:,} more characters)"
        size += len(short) + 1
        if size > MAX_CHARS:
            return "\n".join((*kept, f"… ({len(lines) - len(kept):,} more lines of the diff)"))
        kept.append(short.replace("\r", "\\r"))
    return "\n".join(kept)
