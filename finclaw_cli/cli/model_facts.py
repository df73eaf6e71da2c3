"""What is known of models, for runs: their windows and prices, from the settings and the price data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from finclaw_cli.catalog.prices import cost_usd
from finclaw_cli.catalog.windows import ASSUMED, ASSUMED_ELSEWHERE, SETTINGS, Window, set_window, window_of
from finclaw_cli.core.context_events import ContextWindowStatus
from finclaw_cli.core.usage import Usage
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.runner.engine import Price
from finclaw_cli.runner.request import ModelRef
from finclaw_cli.settings.model import Settings

SCRIPTED = "scripted"
KNOWN_AT_ONCE = frozenset({SETTINGS, SCRIPTED})


def set_windows(settings: Settings) -> dict[str, int]:
    """The windows that the settings say, by the names they have there."""
    return {name: model.window for name, model in settings.models.items() if model.window is not None}


@dataclass(frozen=True, slots=True)
class ModelWindows:
    """The windows of this machine's settings and price data."""

    overrides: Mapping[str, int]
    registry: ProviderRegistry

    def known(self, ref: ModelRef) -> Window | None:
        """What can be said without importing the price data."""
        window = set_window(ref.provider, ref.model, self.overrides)
        if window is None and self.registry.entry(ref.provider).facts.scripted:
            return Window(ASSUMED_ELSEWHERE, SCRIPTED)  # a script has none: nobody need be told what is assumed
        return window

    def of(self, ref: ModelRef) -> Window:
        return self.known(ref) or window_of(ref.provider, ref.model, self.overrides)


def model_price(registry: ProviderRegistry) -> Price:
    """What requests cost by the price data, which is imported for the first of them; scripts cost nothing."""

    def price(ref: ModelRef, usage: Usage, at: datetime) -> Decimal | None:
        if registry.entry(ref.provider).facts.scripted:
            return None
        return cost_usd(ref.provider, ref.model, usage, at)

    return price


@dataclass(frozen=True, slots=True)
class RecordedWindows:
    """What windows were taken to be in a recorded run, by `provider:model`."""

    told: Mapping[str, ContextWindowStatus]

    def known(self, ref: ModelRef) -> Window | None:
        """What was known then before it was looked up."""
        told = self.told.get(str(ref))
        return self.of(ref) if told is not None and told.source in KNOWN_AT_ONCE else None

    def of(self, ref: ModelRef) -> Window:
        told = self.told.get(str(ref))
        return Window(told.window, told.source) if told is not None else Window(ASSUMED_ELSEWHERE, ASSUMED)
