"""Digests by which a change of what the user has looked at is found."""

from __future__ import annotations

import hashlib
import json


def digest(value: object) -> str:
    """The SHA-256 of a JSON value, whatever the order of its keys, as hex digits."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
