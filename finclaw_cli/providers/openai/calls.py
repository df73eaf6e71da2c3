"""What both dialects need for a call: where its arguments end, and what of them may be sent back."""

from __future__ import annotations

import re

from finclaw_cli.core.json_text import InvalidJson, parse_object, well_formed
from finclaw_cli.core.messages import ToolResultBlock

_OUTSIDE_STRINGS = re.compile(r'["{}\[\]]')
_IN_STRINGS = re.compile(r'["\\]')


class Brackets:
    """Finds where the first JSON object or array of a text closes; the text comes in pieces, each of them read once."""

    def __init__(self) -> None:
        self.closed = False
        self._depth = 0
        self._in_string = False
        self._skip = 0
        """Characters at the beginning of the next piece that a backslash escapes."""

    def feed(self, piece: str) -> None:
        """Take the next piece; after the closing bracket nothing is looked at."""
        at = min(self._skip, len(piece))
        self._skip -= at
        while not self.closed and (found := self._marks().search(piece, at)):
            at = found.end()
            if found[0] == "\\":
                self._skip = max(at + 1 - len(piece), 0)
                at += 1
            else:
                self._count(found[0])

    def _marks(self) -> re.Pattern[str]:
        return _IN_STRINGS if self._in_string else _OUTSIDE_STRINGS

    def _count(self, mark: str) -> None:
        if mark == '"':
            self._in_string = not self._in_string
            return
        self._depth += 1 if mark in "{[" else -1
        self.closed = self._depth <= 0


def is_whole(arguments: str) -> bool:
    """Is this one strict JSON object? Nothing at all is a call without arguments."""
    try:
        # The two halves of a code point may have come in two deltas.
        parse_object(well_formed(arguments))
    except InvalidJson:
        return False
    return True


def echoed(arguments: str) -> str:
    """A call's arguments as they go back: the model's own words; `{}` for garbage, since servers parse them again."""
    return well_formed(arguments) if arguments.strip() and is_whole(arguments) else "{}"


def result_text(block: ToolResultBlock) -> str:
    """A result as text: neither wire has a field that marks an error."""
    if not block.is_error or block.content.lower().startswith("error"):
        return block.content
    return f"Error: {block.content}"
