"""A session as one JSON object, a message a line: ASCII, strict, whatever the session holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from finclaw_cli.core.json_text import jsonable
from finclaw_cli.core.messages import Message
from finclaw_cli.core.secrets import PROCESS
from finclaw_cli.engine.run_state import message_json
from finclaw_cli.listings.sessions.content import SessionFacts


def json_pieces(facts: SessionFacts, messages: Iterable[Message]) -> Iterator[str]:
    """The object, piece by piece."""
    head = {"session": facts.session, "began": facts.began, "finclaw_version": facts.finclaw_version}
    yield "{\n" + "".join(f"{_json(name)}: {_json(value)},\n" for name, value in head.items())
    yield from _list("runs", facts.runs.values())
    yield ",\n"
    yield from _list("messages", map(message_json, messages))
    yield ",\n"
    yield from _list("damage", facts.damage)
    yield "\n}\n"


def _list(name: str, items: Iterable[object]) -> Iterator[str]:
    yield f"{_json(name)}: ["
    comma = ""
    for item in items:
        yield f"{comma}\n  {_json(item)}"
        comma = ","
    yield "\n]" if comma else "]"


def _json(value: object) -> str:
    masked = PROCESS.mask_value(jsonable(value))
    return json.dumps(masked, ensure_ascii=True, allow_nan=False).replace("\x7f", "\\u007f")
