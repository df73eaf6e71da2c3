"""What is known of models, for runs: their windows and prices, from the settings and the price data."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from finclaw_cli.catalog.price_file import PriceFile
from finclaw_cli.catalog.prices import Cost, ListedRates, cost_of, listed_rates, set_rates
from finclaw_cli.catalog.rates import Rates
from finclaw_cli.catalog.windows import ASSUMED, ASSUMED_ELSEWHERE, SETTINGS, Window, set_window, window_of
from finclaw_cli.core.events.context import ContextWindowStatus
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import home
from finclaw_cli.settings.tables import ModelSettings

PRICES = Path("cache") / "prices.json"
SCRIPTED = "scripted"
KNOWN_AT_ONCE = frozenset({SETTINGS, SCRIPTED})
NOTHING = Cost(usd=Decimal(0), uncached_usd=Decimal(0), source=SCRIPTED)


def set_windows(settings: Settings) -> dict[str, int]:
    """The windows that the settings say, by the names they have there."""
    return {name: model.window for name, model in settings.models.items() if model.window is not None}


@record
class ModelWindows:
    """The windows of this machine's settings and price data."""

    overrides: Mapping[str, int]
    registry: ProviderRegistry
    longest: Mapping[str, int]
    """How many tokens models can answer with, by the names that the windows have."""
    kept: PriceFile

    def most_output(self, ref: ModelRef) -> int | None:
        """What the settings say, `provider:model` before the model alone."""
        return self.longest.get(str(ref), self.longest.get(ref.model))

    def known(self, ref: ModelRef) -> Window | None:
        """What is known without importing the price data."""
        window = set_window(ref.provider, ref.model, self.overrides)
        if window is None and self.registry.is_scripted(ref.provider):
            return Window(ASSUMED_ELSEWHERE, SCRIPTED)  # a script has none: no warning about an assumed one
        return window

    def of(self, ref: ModelRef) -> Window:
        return self.known(ref) or window_of(ref.provider, ref.model, self.overrides, self.kept)


def set_rates_of(settings: Settings) -> dict[str, Rates]:
    """The rates that the settings say, by the names they have there; USD per million tokens."""
    return {name: rates for name, model in settings.models.items() if (rates := rates_in(model))}


def rates_in(model: ModelSettings) -> Rates | None:
    """The rates that the settings say of one model, in USD per million tokens; None where they say none."""
    if model.input_usd is None or model.output_usd is None:
        return None
    return Rates(
        input_usd=model.input_usd,
        output_usd=model.output_usd,
        cache_read_usd=model.cache_read_usd,
        cache_write_usd=model.cache_write_usd,
        cache_write_1h_usd=model.cache_write_1h_usd,
    )


@record
class ModelPrices:
    """What requests cost by this machine's settings and price data; scripts cost nothing."""

    overrides: Mapping[str, Rates]
    registry: ProviderRegistry
    kept: PriceFile

    def cost(self, ref: ModelRef, usage: Usage, at: datetime) -> Cost:
        """What a request of that moment cost, in USD."""
        if set_rates(ref.provider, ref.model, self.overrides) is None and self.registry.is_scripted(ref.provider):
            return NOTHING
        return cost_of(ref.provider, ref.model, usage, at, self.overrides, kept=self.kept)

    def at_once(self, ref: ModelRef) -> bool:
        """Whether that is known without importing the price data."""
        if "genai_prices" in sys.modules or self.registry.is_scripted(ref.provider):
            return True
        if set_rates(ref.provider, ref.model, self.overrides) is not None:
            return True
        return self.kept.known(ref.provider, ref.model).price_at(datetime.now(UTC)) is not None

    def listed(self, ref: ModelRef, at: datetime) -> ListedRates | None:
        """The model's price list of that moment; None where it is unknown."""
        if set_rates(ref.provider, ref.model, self.overrides) is None and self.registry.is_scripted(ref.provider):
            return ListedRates(rates=Rates(input_usd=Decimal(0), output_usd=Decimal(0)), tiers=(), source=SCRIPTED)
        return listed_rates(ref.provider, ref.model, at, self.overrides)


def model_windows(settings: Settings, registry: ProviderRegistry) -> ModelWindows:
    """The windows of models under these settings."""
    longest = {name: model.max_output for name, model in settings.models.items() if model.max_output is not None}
    return ModelWindows(set_windows(settings), registry, longest, _price_file())


def model_prices(settings: Settings, registry: ProviderRegistry) -> ModelPrices:
    """The prices of models under these settings."""
    return ModelPrices(set_rates_of(settings), registry, _price_file())


def _price_file() -> PriceFile:
    return PriceFile(home() / PRICES)


@record
class RecordedWindows:
    """What windows were taken to be in a recorded run, by `provider:model`."""

    recorded: Mapping[str, ContextWindowStatus]

    def known(self, ref: ModelRef) -> Window | None:
        """What was known then before it was looked up."""
        found = self.recorded.get(str(ref))
        return self.of(ref) if found is not None and found.source in KNOWN_AT_ONCE else None

    def of(self, ref: ModelRef) -> Window:
        found = self.recorded.get(str(ref))
        return Window(found.window, found.source) if found is not None else Window(ASSUMED_ELSEWHERE, ASSUMED)

    def most_output(self, ref: ModelRef) -> int | None:  # noqa: ARG002
        """What was sent then is not known to have been made shorter."""
        return None
