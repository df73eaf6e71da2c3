"""Identifiers, and the key under which a call can be recognised again."""

from __future__ import annotations

import hashlib
import os
import time

from finclaw_cli.core.json_text import ExactObject, canonical

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"


def new_run_id() -> str:
    """A fresh run id: 48 bits of time, then 80 of chance, so that ids sort by age (the ULID layout)."""
    number = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    return "run_" + "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def idempotency_key(*, session_id: str, run_id: str, turn: int, call_id: str, tool: str, arguments: ExactObject) -> str:
    """Name one call, different for any other: servers use the same call ids again, and runs count turns from 1.

    A call that is taken up after a crash keeps the key that was written down before it began.
    """
    text = canonical([session_id, run_id, turn, call_id, tool, arguments])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def approval_id(asked: object, arguments: ExactObject) -> str:
    """Name one request for an approval; bound to who asks, what for, and the very arguments."""
    return "apr_" + hashlib.sha256(canonical([asked, arguments]).encode()).hexdigest()[:32]
