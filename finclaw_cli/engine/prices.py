"""What requests cost, as a run asks for it."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from finclaw_cli.catalog.prices import NO_PRICE, Cost
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.request import ModelRef


class Prices(Protocol):
    """What requests cost; `at_once` is whether that is known without a look-up, which takes time."""

    def cost(self, ref: ModelRef, usage: Usage, at: datetime) -> Cost: ...

    def at_once(self, ref: ModelRef) -> bool: ...


class NoPrices:
    """No price is known."""

    def cost(self, ref: ModelRef, usage: Usage, at: datetime) -> Cost:  # noqa: ARG002
        return NO_PRICE

    def at_once(self, ref: ModelRef) -> bool:  # noqa: ARG002
        return True
