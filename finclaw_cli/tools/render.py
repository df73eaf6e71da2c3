"""What a tool returned, as the text that a model reads."""

from __future__ import annotations

import hashlib

from finclaw_cli.core.growing_text import GrowingText
from finclaw_cli.core.json_text import well_formed
from finclaw_cli.core.record import record
from finclaw_cli.tools.data import json_pieces

EMPTY = "[No result returned]"
MAX_CHARS = 4_000_000
CUT = "\n... [truncated]"


def render(value: object, at_most: int = MAX_CHARS) -> str:
    """Text stays as it is; anything else becomes JSON, with money as strings.

    No more than `at_most` characters are made, however large the value is.

    Raises:
        NotJson: something in it has no place in JSON: NaN, bytes, an object that nothing turns into data.
    """
    if value is None or value == "":
        return EMPTY
    if isinstance(value, str):
        return well_formed(value[:at_most])
    text = GrowingText()
    left = at_most
    for piece in json_pieces(value, at_most):
        text.append(piece[:left])
        left -= len(piece)
        if left <= 0:
            break
    return str(text)


@record(kw_only=True)
class Cut:
    """A result cut to length, with what identifies the whole. `bytes` and `sha256` are those of the whole."""

    text: str
    truncated: bool
    bytes: int | None = None
    sha256: str | None = None


def cut(text: str, limit: int) -> Cut:
    """The first `limit` characters, marked as cut; a text of exactly that length stays whole."""
    if len(text) <= limit:
        return Cut(text=text, truncated=False)
    whole = text.encode()
    return Cut(text=text[:limit] + CUT, truncated=True, bytes=len(whole), sha256=hashlib.sha256(whole).hexdigest())
