"""The listed facts of models: keys, context windows and prices, with their sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from datetime import datetime
from decimal import Decimal

from finclaw_cli.app.model_facts import model_prices, model_windows, rates_in
from finclaw_cli.app.plan import find_installed
from finclaw_cli.app.provider_access import first_key, key_variable
from finclaw_cli.catalog.models import KNOWN_MODELS
from finclaw_cli.catalog.prices import ListedRates
from finclaw_cli.catalog.rates import RateTier
from finclaw_cli.catalog.windows import SETTINGS
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.providers.facts import ProviderFacts
from finclaw_cli.providers.registry import SERVER_ORIGIN, ProviderRegistry
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.secrets import without_secrets
from finclaw_cli.settings.tables import ModelSettings

DESCRIBED = "described by the settings"


@record(kw_only=True)
class ModelRow:
    """One model in the list: tokens, and USD per million tokens."""

    model: str
    provider: str = ""
    key: str = ""
    window: int | None = None
    """The context window in tokens; None where no provider recognises the model."""
    window_source: str = ""
    max_output: int | None = None
    input_usd: Decimal | None = None
    """None, like all prices, where it is unknown."""
    output_usd: Decimal | None = None
    cache_read_usd: Decimal | None = None
    """None with a known price of input: the same price."""
    cache_write_usd: Decimal | None = None
    """The same."""
    cache_write_1h_usd: Decimal | None = None
    """None with a known price of input: that of shorter cache writes."""
    price_source: str | None = None
    """`settings`, `genai-prices X.Y.Z`, `scripted`; None where the price is unknown."""
    tiers: tuple[RateTier, ...] = ()
    """Prices for all tokens of large requests, where they differ."""
    note: str = ""


@record
class ModelFacts:
    """The facts of models in the settings and the price data."""

    registry: ProviderRegistry
    settings: Settings
    at: datetime = field(default_factory=lambda: SystemClock().now())

    def row(self, name: str, ref: ModelRef, note: str = "") -> ModelRow:
        """The row of a model of an installed provider."""
        facts = self.registry.entry(ref.provider).facts
        windows = model_windows(self.settings, self.registry)
        window = windows.of(ref)
        row = ModelRow(
            model=name,
            provider=facts.name,
            key=self._key_state(facts),
            window=window.tokens,
            window_source=window.source,
            max_output=windows.most_output(ref),
            note=note or _note(name, facts),
        )
        return _priced(row, model_prices(self.settings, self.registry).listed(ref, self.at))

    def server_row(self, name: str) -> ModelRow:
        """The row of a server in the settings, for all of its models."""
        facts, table = self.registry.entry(name).facts, self.settings.providers[name]
        note = f"any model of the server at {without_secrets(table.base_url)}"
        return ModelRow(model=f"{name}:", provider=name, key=self._key_state(facts), note=note)

    def _key_state(self, facts: ProviderFacts) -> str:
        variable = key_variable(self.settings, facts)
        if variable is None:
            return "not needed"
        return f"{variable} set" if first_key(self.settings, facts) else f"set {variable}"

    def alias_row(self, alias: str, to: str) -> ModelRow:
        """The row of an alias, with the window and the prices of its model, if there is one."""
        note = f"alias of {to}"
        try:
            provider, model = self.registry.resolve(alias)
        except UsageError:
            return ModelRow(model=alias, note=note)
        return replace(self.row(alias, ModelRef(provider=provider, model=model), note), provider="", key="")

    def described_row(self, name: str) -> ModelRow:
        """The row of a model in the settings: of one provider, or of any server."""
        ref = self.named(name)
        if ref is not None:
            return self.row(str(ref), ref, DESCRIBED)
        stored = self.settings.models.get(name, ModelSettings())
        row = ModelRow(
            model=name,
            window=stored.window,
            window_source=SETTINGS if stored.window is not None else "",
            max_output=stored.max_output,
            note=f"{DESCRIBED}, for any provider",
        )
        rates = rates_in(stored)
        return _priced(row, ListedRates(rates=rates, tiers=(), source=SETTINGS) if rates is not None else None)

    def named(self, name: str) -> ModelRef | None:
        """The model of a name in the settings' tables, where aliases do not count."""
        if name in self.settings.aliases:
            return None
        try:
            provider, model = self.registry.resolve(name)
        except UsageError:
            return None
        return ModelRef(provider=provider, model=model)


def model_facts() -> ModelFacts:
    """The facts of models, from the current settings."""
    settings = load_settings().settings
    return ModelFacts(find_installed(settings).providers, settings)


def model_rows() -> list[ModelRow]:
    """The rows of known models by provider, then those of plugins, named servers, models of the settings, aliases."""
    facts = model_facts()
    known = list(_known(facts.registry))
    listed = {text for _, ref in known for text in (str(ref), ref.model)}
    rows = [facts.row(name, ref) for name, ref in known]
    rows += [facts.server_row(each.facts.name) for each in facts.registry.entries if each.origin == SERVER_ORIGIN]
    rows += [facts.described_row(name) for name in facts.settings.models if name not in listed]
    return rows + [facts.alias_row(alias, to) for alias, to in facts.settings.aliases.items()]


def _known(registry: ProviderRegistry) -> Iterator[tuple[str, ModelRef]]:
    for known in KNOWN_MODELS:
        yield str(known), ModelRef(provider=known.provider, model=known.model)
    for entry in registry.entries:
        for name in entry.facts.models:
            if "*" not in name:
                yield name, ModelRef(provider=entry.facts.name, model=name)


def _priced(row: ModelRow, listed: ListedRates | None) -> ModelRow:
    if listed is None:
        return row
    return replace(
        row,
        input_usd=listed.rates.input_usd,
        output_usd=listed.rates.output_usd,
        cache_read_usd=listed.rates.cache_read_usd,
        cache_write_usd=listed.rates.cache_write_usd,
        cache_write_1h_usd=listed.rates.cache_write_1h_usd,
        price_source=listed.source,
        tiers=listed.tiers,
    )


def _note(name: str, facts: ProviderFacts) -> str:
    notes = []
    if name == f"{facts.name}:{facts.default_model}":
        notes.append("asked when no model is named")
    if facts.scripted:
        notes.append("scripted words, real tools, no key")
    return ", ".join(notes)
