"""What all runs of one process share."""

from __future__ import annotations

from dataclasses import field

from finclaw_cli.core.clock import Clock, SystemClock
from finclaw_cli.core.record import record
from finclaw_cli.engine.budget import Budget, Unlimited
from finclaw_cli.engine.connection import Connect
from finclaw_cli.engine.lanes import Lanes, RunLanes
from finclaw_cli.engine.prices import NoPrices, Prices
from finclaw_cli.engine.retry import RetryPolicy
from finclaw_cli.engine.windows import NoWindows, Windows


@record(kw_only=True)
class Engine:
    """How models are reached, what is known of them, how crowded it may get, and how failure is met.

    `budget` is asked whether there is money for each request.
    """

    connect: Connect
    lanes: RunLanes = field(default_factory=Lanes)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    clock: Clock = field(default_factory=SystemClock)
    windows: Windows = field(default_factory=NoWindows)
    prices: Prices = field(default_factory=NoPrices)
    budget: Budget = field(default_factory=Unlimited)
