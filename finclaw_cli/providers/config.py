"""What an adapter needs to reach its server, and what the house needs to know of an adapter before importing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from finclaw_cli.core.ports import Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderConfig:
    """Key and address of one provider. The key never shows in a `repr`, and so in no traceback or log."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    connect_timeout_s: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFacts:
    """What can be said of a provider without importing it."""

    name: str
    """What stands before the colon in `provider:model`."""
    models: tuple[str, ...] = ()
    """Patterns of the bare model names it recognises: `claude-*`."""
    default_model: str | None = None
    key_variable: str | None = None
    """The variable its key comes from; None where it needs no key."""
    scripted: bool = False
    """Its words come from a script, and runs say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSpec(ProviderFacts):
    """A provider that can be made: its facts, and how to make it (nothing heavy before it streams)."""

    create: Callable[[ProviderConfig], Provider]
