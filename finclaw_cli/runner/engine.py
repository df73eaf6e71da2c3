"""What all runs of one process share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from finclaw_cli.core.clock import Clock, SystemClock
from finclaw_cli.core.usage import Usage
from finclaw_cli.resilience.lanes import Lanes
from finclaw_cli.resilience.retry import RetryPolicy
from finclaw_cli.runner.connection import Connect
from finclaw_cli.runner.request import ModelRef
from finclaw_cli.runner.windows import NoWindows, Windows

Price = Callable[[ModelRef, Usage, datetime], Decimal | None]
"""What a request of that moment costs, in USD; None where nobody knows."""


def no_price(ref: ModelRef, usage: Usage, at: datetime) -> Decimal | None:  # noqa: ARG001
    """Nobody knows any price."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """How models are reached and how large their windows are, how crowded it may get, how failure is met."""

    connect: Connect
    lanes: Lanes = field(default_factory=Lanes)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    clock: Clock = field(default_factory=SystemClock)
    price: Price = no_price
    windows: Windows = field(default_factory=NoWindows)
