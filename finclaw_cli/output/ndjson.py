"""Events as NDJSON: one JSON object a line, with the same keys in the same order."""

from __future__ import annotations

import hashlib
from typing import cast

from finclaw_cli.core.bus import PIECES
from finclaw_cli.core.events.agent import AgentResult, Emitted, Event
from finclaw_cli.core.events.lines import event_line, payload, payload_json
from finclaw_cli.core.json_text import JsonObject, JsonValue, dump_line
from finclaw_cli.core.record import record
from finclaw_cli.output.stream import OutputStream

MAX_LINE_BYTES = 256 * 1024
MAX_STRING_CHARS = 16_000


def encode(emitted: Emitted, seq: int) -> bytes:
    """One event as one line of ASCII, newline included; only a result, which is never cut, is longer than 256 KiB."""
    line = event_line(emitted, seq, emitted.body or payload_json(emitted.event))
    if len(line) > MAX_LINE_BYTES and not isinstance(emitted.event, AgentResult):
        line = event_line(emitted, seq, dump_line(_cut(payload(emitted.event))))
    return line.encode("ascii")


def _cut(body: JsonObject) -> JsonObject:
    """Shorten the long strings of a line that is too long, adding the length and the hash of each."""
    cuts: JsonObject = {}
    shorter = cast("JsonObject", _shortened(body, "", cuts))
    return {**shorter, "cut": cuts}


def _shortened(value: JsonValue, path: str, cuts: JsonObject) -> JsonValue:
    if isinstance(value, str) and len(value) > MAX_STRING_CHARS:
        whole = value.encode()
        cuts[path] = {"bytes": len(whole), "sha256": hashlib.sha256(whole).hexdigest()}
        return value[:MAX_STRING_CHARS]
    if isinstance(value, dict):
        return {key: _shortened(item, f"{path}/{key}", cuts) for key, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item, f"{path}/{place}", cuts) for place, item in enumerate(value)]
    return value


@record(kw_only=True)
class Selection:
    """Which events are written, and so counted."""

    all_families: bool = False
    deltas: bool = True

    def takes(self, event: Event) -> bool:
        """Whether an event is one of them."""
        return self.deltas if isinstance(event, PIECES) else self.all_families or event.type.startswith("agent.")


class NdjsonSink:
    """Prints events as lines, numbered without gaps; also over several runs of one process."""

    def __init__(self, stream: OutputStream, selection: Selection) -> None:
        self._stream = stream
        self._selection = selection
        self._seq = 0

    async def take(self, emitted: Emitted) -> None:
        if not self._selection.takes(emitted.event):
            return
        line = encode(emitted, self._seq)
        self._seq += 1
        if not isinstance(emitted.event, PIECES):
            await self._stream.write(line)
        elif not self._stream.put(line):
            await self._stream.drained()


class JsonSink:
    """Prints the result alone, as one object."""

    takes_deltas = False

    def __init__(self, stream: OutputStream) -> None:
        self._stream = stream

    async def take(self, emitted: Emitted) -> None:
        if isinstance(emitted.event, AgentResult):
            await self._stream.write(encode(emitted, 0))
