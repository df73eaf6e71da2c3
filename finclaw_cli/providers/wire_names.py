"""Names and ids as a wire takes them: what models and other servers made up goes out in a form that is not refused."""

from __future__ import annotations

import re
from hashlib import sha256

_NOT_ALLOWED = re.compile(r"[^a-zA-Z0-9_-]")
_HASH_CHARS = 8
SHORTEST_LIMIT = 64
"""How long a name may be in every dialect."""


def wire_name(name: str, limit: int) -> str:
    """A tool's name in letters, digits, underscores and dashes, at most so long. A good one stays as it is."""
    return _NOT_ALLOWED.sub("_", name)[:limit] or "_"


def wire_id(identifier: str, limit: int) -> str:
    """A call's id in the same letters; one that had to be changed still differs from every other."""
    clean = wire_name(identifier, limit)
    return clean if clean == identifier else _told_apart(clean, identifier, limit)


def short_id(identifier: str, limit: int) -> str:
    """A call's id in whatever letters it has, at most so long."""
    return identifier if len(identifier) <= limit else _told_apart(identifier, identifier, limit)


def _told_apart(shown: str, identifier: str, limit: int) -> str:
    digest = sha256(identifier.encode("utf-8", "replace")).hexdigest()[:_HASH_CHARS]
    return f"{shown[: limit - _HASH_CHARS - 1]}_{digest}"
