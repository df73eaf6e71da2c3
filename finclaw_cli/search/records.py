"""What the index takes from the records of a transcript."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from io import FileIO
from typing import NamedTuple

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.transcript.lines import MAX_LINE_BYTES, decode, is_crc

# A record as `transcript/lines.py` describes it, or another line; most records are pieces of answers, whose text is in
# a message again.
_LINE = re.compile(
    rb'\{"v":1,"seq":[0-9]+,"s":"[0-9a-f]{8}","ts":"([0-9T:.Z-]+)","type":"(message|run|agent\.(?:start|turn_start|result))",'
    rb'"run":"([A-Za-z0-9._-]*)","data":(.+),"crc":"([0-9a-f]{8})"\}\n|.*\n?'
)
_AT_ONCE = 64 * 1024
"""How many bytes are read with one call, at least; most sessions have fewer."""
KEPT_BYTES = 64
"""How many bytes of the last record are kept, to recognise its file; each record is longer."""
_SYMBOLS = ("symbol", "symbols", "benchmark")
REQUEST = "request"
"""The name of what a `run` record has of the request of a client: `key` and `body`, as digests."""
_HAS_REQUEST = f'"{REQUEST}":{{'.encode("ascii")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Record(NamedTuple):
    """A record that the index reads."""

    kind: bytes
    at: bytes
    run_id: bytes
    data: JsonObject
    place: int
    """Where it begins in its file."""
    end: int
    tail: bytes
    """Its last bytes."""


def records(file: FileIO, place: int) -> Iterator[Record]:
    """The records that the index reads, from a place in a file on; those that are damaged or cut off are left out."""
    if place:
        file.seek(place)
    rest = b""
    while new := file.read(max(_AT_ONCE, len(rest))):
        lines = rest + new
        end = lines.rfind(b"\n") + 1
        yield from _records(lines, end, place)
        if len(lines) - end > MAX_LINE_BYTES:  # no record is so long
            end = len(lines)
        place, rest = place + end, lines[end:]


def _records(lines: bytes, end_of_lines: int, place: int) -> Iterator[Record]:
    """The records of whole lines, the first of which begins at a place."""
    from jiter import from_json  # it reads a line in half of the time that json takes

    view = memoryview(lines)
    for line in _LINE.finditer(lines, 0, end_of_lines):
        at, kind, run_id, body, crc = line.groups()
        begin, end = line.span()
        if kind is None or not is_crc(crc, view[begin : line.end(4)]) or (kind == b"run" and _HAS_REQUEST not in body):
            continue
        try:
            data = from_json(body)
        except ValueError:  # such as half of a surrogate pair
            data = decode(lines[begin:end]).data
        known = data if isinstance(data, dict) else {}
        yield Record(kind, at, run_id, known, place + begin, place + end, lines[end - KEPT_BYTES : end])


def text_of(message: JsonObject) -> str:
    """All that a recorded message has to be found by: its text, its calls, or the results of calls."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join([text for block in _blocks(content) if (text := _text(block))])


def facts_of(message: JsonObject) -> Iterator[tuple[str, str]]:
    """The tools that a recorded message calls, and the symbols of their input: pairs of a kind and a value."""
    for block in _blocks(message.get("content")):
        if block.get("type") == "tool_use":
            yield "tool", str(block.get("name"))
            given = str(block.get("input"))
            if "symbol" in given or "benchmark" in given:
                yield from (("symbol", symbol.upper()) for symbol in _symbols(given))


def request_of(run: JsonObject, run_id: bytes) -> Iterator[tuple[str, str]]:
    """A run, its idempotency key and the body that it was used with: a pair of a kind and a value."""
    request = run.get(REQUEST)
    key, body = map(str, (request.get("key"), request.get("body"))) if isinstance(request, dict) else ("", "")
    if _DIGEST.fullmatch(key) and _DIGEST.fullmatch(body):
        yield REQUEST, f"{run_id.decode()} {key} {body}"


def cost_of(result: JsonObject) -> Decimal:
    """What a recorded run came to, in USD; zero where that is unknown."""
    try:
        cost = Decimal(str(result.get("cost_usd") or 0))
    except InvalidOperation:
        return Decimal(0)
    return cost if cost.is_finite() else Decimal(0)


def _blocks(content: object) -> list[JsonObject]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(block: JsonObject) -> str:
    kind = block.get("type")
    if kind == "text":
        return str(block.get("text"))
    if kind == "tool_use":
        return f"{block.get('name')} {block.get('input')}"
    return str(block.get("content")) if kind == "tool_result" else ""


def _symbols(given: str) -> Iterator[str]:
    import jiter

    try:
        arguments = jiter.from_json(given.encode())
    except ValueError:
        return
    for name in _SYMBOLS:
        value = arguments.get(name) if isinstance(arguments, dict) else None
        yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))
