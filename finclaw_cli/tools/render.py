"""What a tool returned, as the text that a model reads."""

from __future__ import annotations

import hashlib
import json

from finclaw_cli.core.json_text import jsonable, well_formed
from finclaw_cli.core.record import record
from finclaw_cli.tools.data import require_data

EMPTY = "[No result returned]"
CUT = "\n... [truncated]"


def render(value: object) -> str:
    """Text stays as it is; anything else becomes JSON, with money as strings.

    Raises:
        NotJson: something in it has no place in JSON: NaN, bytes, an object that nothing turns into data.
    """
    if value is None or value == "":
        return EMPTY
    if isinstance(value, str):
        return well_formed(value)
    require_data(value)
    return json.dumps(jsonable(value), ensure_ascii=False, allow_nan=False)


@record(kw_only=True)
class Cut:
    """A result cut to length, with what tells the whole again. `bytes` and `sha256` are those of the whole."""

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
