"""What a group of rows comes to; groups can be added up."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from typing import Protocol, Self

from finclaw_cli.core.money import total
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage, added


@record(kw_only=True)
class RequestSums:
    """What requests come to. What is unknown is None, never 0."""

    requests: int = 0
    failed: int = 0
    interrupted: int = 0
    retries: int = 0
    """Requests that were made again: any attempt but the first."""
    estimated: int = 0
    """Requests whose tokens were counted here."""
    unreported: int = 0
    """Requests of unknown usage: they are in no other sum."""
    unpriced: int = 0
    """Requests whose tokens are known, but no price for them."""
    unpriced_tokens: int = 0
    usage: Usage | None = None
    cost_usd: Decimal | None = None
    """Of the requests that have a price; None where none has."""
    saved_usd: Decimal | None = None
    """What caches have saved, below 0 where writing them has cost more; None where that is unknown."""

    def __add__(self, other: RequestSums) -> RequestSums:
        return RequestSums(
            **{name: getattr(self, name) + getattr(other, name) for name in _COUNTS},
            usage=added(self.usage, other.usage),
            cost_usd=_together(self.cost_usd, other.cost_usd),
            saved_usd=_together(self.saved_usd, other.saved_usd),
        )


_COUNTS = tuple(field.name for field in fields(RequestSums) if field.name not in {"usage", "cost_usd", "saved_usd"})


def _together(*amounts: Decimal | None) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return total(known) if known else None


@record(kw_only=True)
class ToolSums:
    """What calls of tools come to."""

    calls: int = 0
    not_completed: int = 0
    """Calls that ended in another way: failed, denied, cancelled, or in an unknown way."""
    duration_ms: int = 0
    longest_ms: int = 0

    def __add__(self, other: ToolSums) -> ToolSums:
        return ToolSums(
            calls=self.calls + other.calls,
            not_completed=self.not_completed + other.not_completed,
            duration_ms=self.duration_ms + other.duration_ms,
            longest_ms=max(self.longest_ms, other.longest_ms),
        )


class Sums(Protocol):
    """Anything that can be added to its own kind."""

    def __add__(self, other: Self) -> Self: ...
