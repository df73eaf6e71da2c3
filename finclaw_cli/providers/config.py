"""What an adapter needs to reach its server, and what the house needs to know of an adapter before importing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal

from finclaw_cli.core.ports import Provider
from finclaw_cli.core.record import record
from finclaw_cli.providers.facts import ProviderFacts

TransportName = Literal["direct", "sdk"]
# Servers of one's own ask for no key, but the SDKs always send one; who looks at it sees the same either way.
NO_KEY = "no-key"


CONNECT_TIMEOUT_S = 10.0


@record(kw_only=True)
class ProviderConfig:
    """Key and address of one provider. The key never shows in a `repr`, and so in no traceback or log."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    name: str | None = None
    """The name in error messages, where it is not the adapter's own."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Further request headers; one that the adapter sends as well replaces the adapter's."""
    connect_timeout_s: float = CONNECT_TIMEOUT_S
    transport: TransportName = "direct"
    """Over HTTP directly, or through the provider's SDK, which may also find credentials of its own."""


def with_headers(own: Mapping[str, str], further: Mapping[str, str]) -> dict[str, str]:
    """Return all headers, the further ones in place of those of the same name."""
    replaced = {name.lower() for name in further}
    return {**{name: value for name, value in own.items() if name.lower() not in replaced}, **further}


@record(kw_only=True)
class ProviderSpec(ProviderFacts):
    """A provider that can be made: its facts, and how to make it (nothing heavy before it streams)."""

    create: Callable[[ProviderConfig], Provider]
