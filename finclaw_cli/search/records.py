"""What the index takes from the records of a transcript."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import BinaryIO

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.transcript.lines import MAX_LINE_BYTES, Damaged, Line, decode

READ = frozenset({"message", "agent.start", "agent.turn_start", "agent.result"})
# Most records are pieces of answers, whose text is in a message again.
_PIECE, _HEAD_BYTES = b'"type":"agent.delta"', 160
_SYMBOLS = ("symbol", "symbols", "benchmark")


@record
class Taken:
    """One record that the index reads, and where the next record begins."""

    line: Line
    end: int


def taken(file: BinaryIO, offset: int) -> Iterator[Taken]:
    """The whole records that the index reads, from a place in a file on; damaged ones are left out."""
    file.seek(offset)
    while (raw := file.readline(MAX_LINE_BYTES)).endswith(b"\n"):
        start, offset = offset, offset + len(raw)
        if _PIECE in raw[:_HEAD_BYTES]:
            continue
        try:
            line = decode(raw, start)
        except Damaged:
            continue
        if line.type in READ:
            yield Taken(line, offset)


def text_of(message: JsonObject) -> str:
    """All that a recorded message has to be found by: its text, its calls, or the results of calls."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(filter(None, map(_text, _blocks(message))))


def facts_of(message: JsonObject) -> Iterator[tuple[str, str]]:
    """The tools that a recorded message calls, and the symbols of their input: pairs of a kind and a value."""
    for block in _blocks(message):
        if block.get("type") != "tool_use":
            continue
        yield "tool", str(block.get("name"))
        given = str(block.get("input"))
        if "symbol" in given or "benchmark" in given:
            yield from (("symbol", symbol.upper()) for symbol in _symbols(given))


def cost_of(result: JsonObject) -> Decimal:
    """What a recorded run came to, in USD; zero where that is unknown."""
    try:
        cost = Decimal(str(result.get("cost_usd") or 0))
    except InvalidOperation:
        return Decimal(0)
    return cost if cost.is_finite() else Decimal(0)


def _blocks(message: JsonObject) -> list[JsonObject]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(block: JsonObject) -> str:
    match block.get("type"):
        case "text":
            return str(block.get("text"))
        case "tool_use":
            return f"{block.get('name')} {block.get('input')}"
        case "tool_result":
            return str(block.get("content"))
        case _:
            return ""


def _symbols(given: str) -> Iterator[str]:
    try:
        arguments = json.loads(given)
    except (ValueError, RecursionError):
        return
    for name in _SYMBOLS:
        value = arguments.get(name) if isinstance(arguments, dict) else None
        yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))
