"""How models are listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from finclaw_cli.catalog.models import KNOWN_MODELS
from finclaw_cli.catalog.windows import Window, window_of
from finclaw_cli.cli.listing import installed
from finclaw_cli.cli.model_facts import set_windows
from finclaw_cli.core.errors import UsageError
from finclaw_cli.providers.config import ProviderFacts
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.secrets import find_key


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """One model as it is listed."""

    model: str
    provider: str
    key: str
    window: int | None
    """How many tokens it takes; None for an alias of something that nobody recognises."""
    window_source: str
    note: str

    @property
    def shown_window(self) -> str:
        """The window as people read it, and whether it is only assumed."""
        if self.window is None:
            return ""
        shown = f"{self.window:,}"
        return f"{shown} ({self.window_source})" if Window(self.window, self.window_source).is_assumed else shown


def model_rows() -> list[ModelRow]:
    """Known models by provider, then those of plugins, then the aliases of the settings."""
    registry, settings = installed().providers, load_settings().settings
    windows = set_windows(settings)
    rows = [
        _row(str(known), registry.entry(known.provider).facts, window_of(known.provider, known.model, windows))
        for known in KNOWN_MODELS
    ]
    for entry in registry.entries:
        names = [name for name in entry.facts.models if "*" not in name]
        rows += [_row(name, entry.facts, window_of(entry.facts.name, name, windows)) for name in names]
    return rows + [_alias_row(alias, to, registry, windows) for alias, to in settings.aliases.items()]


def _row(model: str, facts: ProviderFacts, window: Window) -> ModelRow:
    notes = []
    if model == f"{facts.name}:{facts.default_model}":
        notes.append("asked when no model is named")
    if facts.scripted:
        notes.append("scripted words, real tools, no key")
    return ModelRow(
        model=model,
        provider=facts.name,
        key=_key_state(facts),
        window=window.tokens,
        window_source=window.source,
        note=", ".join(notes),
    )


def _alias_row(alias: str, to: str, registry: ProviderRegistry, windows: Mapping[str, int]) -> ModelRow:
    """An alias has the window of what it stands for, where that is anything at all."""
    note = f"alias of {to}"
    try:
        window = window_of(*registry.resolve(alias), windows)
    except UsageError:
        return ModelRow(model=alias, provider="", key="", window=None, window_source="", note=note)
    return ModelRow(model=alias, provider="", key="", window=window.tokens, window_source=window.source, note=note)


def _key_state(facts: ProviderFacts) -> str:
    if facts.key_variable is None:
        return "not needed"
    return f"{facts.key_variable} set" if find_key(facts.key_variable) else f"set {facts.key_variable}"
