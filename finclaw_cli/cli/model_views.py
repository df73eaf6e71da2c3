"""How models are listed."""

from __future__ import annotations

from dataclasses import dataclass

from finclaw_cli.catalog.models import KNOWN_MODELS
from finclaw_cli.cli.listing import installed
from finclaw_cli.providers.config import ProviderFacts
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.secrets import find_key


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """One model as it is listed."""

    model: str
    provider: str
    key: str
    note: str


def model_rows() -> list[ModelRow]:
    """Known models by provider, then those of plugins, then the aliases of the settings."""
    registry = installed().providers
    rows = [_row(str(known), registry.entry(known.provider).facts) for known in KNOWN_MODELS]
    for entry in registry.entries:
        names = [name for name in entry.facts.models if "*" not in name]
        rows += [_row(name, entry.facts) for name in names]
    aliases = load_settings().settings.aliases
    return rows + [ModelRow(model=alias, provider="", key="", note=f"alias of {to}") for alias, to in aliases.items()]


def _row(model: str, facts: ProviderFacts) -> ModelRow:
    notes = []
    if model == f"{facts.name}:{facts.default_model}":
        notes.append("asked when no model is named")
    if facts.scripted:
        notes.append("scripted words, real tools, no key")
    return ModelRow(model=model, provider=facts.name, key=_key_state(facts), note=", ".join(notes))


def _key_state(facts: ProviderFacts) -> str:
    if facts.key_variable is None:
        return "not needed"
    return f"{facts.key_variable} set" if find_key(facts.key_variable) else f"set {facts.key_variable}"
