"""A message that came in one piece, from a server that does not stream, read as the events it would have been."""

from __future__ import annotations

from collections.abc import Iterator

from finclaw_cli.core.json_text import JsonValue


def events_of(message: JsonValue) -> Iterator[JsonValue]:
    """The events of one whole message. Anything else, an error above all, is passed on as it is."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, list):
        yield message
        return
    for index, block in enumerate(content):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": message, "usage": message.get("usage")}
    yield {"type": "message_stop"}
