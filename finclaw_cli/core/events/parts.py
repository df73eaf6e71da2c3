"""What events are made of: states, and the small values they carry."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.core.usage import Usage, added

SCHEMA_VERSION = 1

RunStatus = Literal["completed", "max_turns", "timeout", "budget", "aborted", "error"]
CallStatus = Literal[
    "announced",
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


@record(kw_only=True)
class OfferedTool:
    """One tool the model may call in this run."""

    name: str
    group: str
    source: str
    """`builtin`, or `plugin:` and the distribution it comes from."""
    skill: str | None = None
    """`skill:` and the name of the skill that brings it, where nothing else asks for it."""

    @classmethod
    def of(cls, tool: ToolSpec, skill: str | None = None) -> OfferedTool:
        return cls(name=tool.name, group=tool.group, source=tool.source, skill=skill)


@record(kw_only=True)
class FailedPlugin:
    """A plugin that could not be used, and why."""

    name: str
    error: str


@record(kw_only=True)
class Limits:
    """The limits of this run; `null` where there is none. Times in seconds, cost in USD."""

    max_turns: int
    timeout_s: float
    first_chunk_s: float
    idle_s: float
    max_tool_calls: int
    max_result_chars: int
    max_cost_usd: Decimal | None


@record(kw_only=True)
class Compactions:
    """How often a run made its conversation smaller, and what the summaries took that were asked for (`summaries`).

    `cost_usd` is `null` where no summary was asked for, or its price is not known.
    """

    count: int
    summaries: int
    usage: Usage | None
    cost_usd: Decimal | None

    def __add__(self, other: Compactions) -> Compactions:
        return Compactions(
            count=self.count + other.count,
            summaries=self.summaries + other.summaries,
            usage=added(self.usage, other.usage),
            cost_usd=self._cost_with(other),
        )

    def _cost_with(self, other: Compactions) -> Decimal | None:
        """The sum; unknown where one of them is, and not where nothing was asked for."""
        if not self.summaries or not other.summaries:
            return self.cost_usd if self.summaries else other.cost_usd
        return None if self.cost_usd is None or other.cost_usd is None else self.cost_usd + other.cost_usd


@record(kw_only=True)
class Failure:
    """What went wrong: a stable code for machines, a message and a hint for people.

    `reason` is why a model's provider failed, one of a closed set; `provider_code` is the server's own word for it.
    """

    code: str
    message: str
    hint: str | None = None
    retryable: bool = False
    provider: str | None = None
    status: int | None = None
    request_id: str | None = None
    reason: str | None = None
    provider_code: str | None = None
