"""What events are made of: states, and the small values they carry."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

SCHEMA_VERSION = 1

RunStatus = Literal["completed", "max_turns", "timeout", "budget", "aborted", "error"]
CallStatus = Literal[
    "requested",
    "denied",
    "running",
    "completed",
    "failed",
    "timeout",
    "cancelled",
    "skipped",
    "recorded",
    "unknown",
]
ENDED: frozenset[CallStatus] = frozenset(
    {"denied", "completed", "failed", "timeout", "cancelled", "skipped", "recorded", "unknown"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """One tool the model may call in this run."""

    name: str
    group: str
    source: str
    """`builtin`, or `plugin:` and the distribution it comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedPlugin:
    """A plugin that could not be used, and why."""

    name: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of this run; `null` where there is none. Times in seconds, cost in USD."""

    max_turns: int
    timeout_s: float
    first_chunk_s: float
    idle_s: float
    max_tool_calls: int
    max_result_chars: int
    max_cost_usd: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What went wrong: a stable code for machines, a message and a hint for people."""

    code: str
    message: str
    hint: str | None = None
    retryable: bool = False
    provider: str | None = None
    status: int | None = None
    request_id: str | None = None
