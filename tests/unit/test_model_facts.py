"""What a run is told of prices: the settings first, then that scripts cost nothing, then the price data."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal

from finclaw_cli.app.model_facts import ModelPrices, set_rates_of
from finclaw_cli.catalog.price_file import PriceFile
from finclaw_cli.catalog.prices import Cost, ListedRates
from finclaw_cli.catalog.rates import Rates
from finclaw_cli.core.checked import checked
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.settings.model import Settings

NOW = datetime(2026, 11, 21, tzinfo=UTC)
SCRIPT = ModelRef(provider="scripted", model="x.json")
USAGE = Usage(input=1_000_000, output=1_000_000, cache_read=1_000_000)
RATES = Rates(input_usd=Decimal("0.3"), output_usd=Decimal(1))


def prices(**overrides: Rates) -> ModelPrices:
    return ModelPrices(overrides, ProviderRegistry(), PriceFile(None))


def test_a_script_costs_nothing_which_is_known() -> None:
    nothing = Cost(usd=Decimal(0), uncached_usd=Decimal(0), source="scripted")
    assert prices().cost(SCRIPT, USAGE, NOW) == nothing


def test_a_price_of_the_settings_holds_for_a_script_too() -> None:
    mine = ModelPrices({"scripted:x.json": RATES}, ProviderRegistry(), PriceFile(None))
    assert mine.cost(SCRIPT, USAGE, NOW) == Cost(usd=Decimal("1.6"), uncached_usd=Decimal("1.6"), source="settings")
    assert mine.listed(SCRIPT, NOW) == ListedRates(rates=RATES, tiers=(), source="settings")


def test_the_price_data_is_asked_last() -> None:
    known = ModelRef(provider="openai", model="gpt-4o")
    assert prices().cost(known, USAGE, NOW).usd == Decimal("13.75")
    unknown = ModelRef(provider="openai", model="llama9")
    assert prices(llama8=RATES).cost(unknown, USAGE, NOW).usd is None
    assert prices(llama9=RATES).cost(unknown, USAGE, NOW).usd == Decimal("1.6")


def test_the_settings_rates_are_read_with_all_their_cache_prices() -> None:
    table = {"input_usd": 0.3, "output_usd": 1, "cache_read_usd": "0.03", "cache_write_1h_usd": 2}
    settings = checked(Settings, {"models": {"a:b": table, "c": {"window": 5000}}})
    assert set_rates_of(settings) == {
        "a:b": Rates(
            input_usd=Decimal("0.3"),
            output_usd=Decimal(1),
            cache_read_usd=Decimal("0.03"),
            cache_write_1h_usd=Decimal(2),
        )
    }


def test_what_can_be_told_at_once_is_told_without_importing_the_price_data() -> None:
    code = """
import sys
from datetime import UTC, datetime
from decimal import Decimal
from finclaw_cli.catalog.price_file import PriceFile
from finclaw_cli.catalog.rates import Rates
from finclaw_cli.app.model_facts import ModelPrices
from finclaw_cli.core.usage import Usage
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.engine.request import ModelRef
prices = ModelPrices({"llama9": Rates(input_usd=Decimal(1), output_usd=Decimal(1))}, ProviderRegistry(), PriceFile(None))
for ref in (ModelRef(provider="openai", model="llama9"), ModelRef(provider="scripted", model="x")):
    assert prices.at_once(ref)
    assert prices.cost(ref, Usage(), datetime.now(UTC)).usd == 0
known = ModelRef(provider="openai", model="gpt-4o")
assert not prices.at_once(known)
assert 'genai_prices' not in sys.modules
prices.cost(known, Usage(), datetime.now(UTC))
assert prices.at_once(known)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
