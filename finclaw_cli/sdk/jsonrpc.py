"""For commands of a plugin that serve a program by JSON-RPC 2.0: the answer to a line that is no message."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["INVALID_REQUEST", "PARSE_ERROR", "is_id", "refusal"]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
MAX_ID_DIGITS = 18


def refusal(line: bytes, reason: str) -> dict[str, Any]:
    """The error that answers a line that is no message, or not one that can be taken.

    Its id is that of the request, so far as the line can be read, and None otherwise; its code is `PARSE_ERROR` where
    nothing can be read, and `INVALID_REQUEST` otherwise.

    Args:
        line: what came.
        reason: what is wrong with it.
    """
    try:
        found = json.loads(line.decode("utf-8", "replace"), parse_int=_whole_number)
        code = INVALID_REQUEST
    except (ValueError, RecursionError):
        found, code = None, PARSE_ERROR
    return {"jsonrpc": "2.0", "id": _id_of(found), "error": {"code": code, "message": reason}}


def is_id(value: object) -> bool:
    """Whether a value can be the id of a request: a text that UTF-8 has, or a whole number."""
    if isinstance(value, str):
        return value == value.encode("utf-8", "replace").decode()
    return isinstance(value, int) and not isinstance(value, bool)


def _id_of(message: object) -> object:
    """The id of a request; an answer has that of a request of the other side."""
    if not isinstance(message, dict) or "result" in message or "error" in message:
        return None
    return message["id"] if is_id(message.get("id")) else None


def _whole_number(text: str) -> int | float:
    """A whole number, or one that is near it where Python would refuse to read it for its length."""
    return int(text) if len(text) <= MAX_ID_DIGITS else float(text)
