"""What an adapter needs to reach its server, and what the house needs to know of an adapter before importing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal

from finclaw_cli.core.ports import Provider
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Tier
from finclaw_cli.http.transport import OnAnswer
from finclaw_cli.providers.facts import ProviderFacts

TransportName = Literal["direct", "sdk"]
# Servers of one's own ask for no key, but the SDKs always send one; who looks at it sees the same either way.
NO_KEY = "no-key"


CONNECT_TIMEOUT_S = 10.0


def ignore(model: str, headers: Mapping[str, str], after_s: float) -> None:
    """Take the headers of an answer for nothing."""


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
    tier: Tier = "standard"
    """The tier of requests that are no batches: `flex`, where the provider has it."""
    on_answer: OnAnswer = field(default=ignore, repr=False)
    """Called with the headers of each answer that is no refusal."""


def with_headers(own: Mapping[str, str], config: ProviderConfig) -> dict[str, str]:
    """Return an adapter's own headers, the key, and the config's headers in place of those of the same name.

    A key that only stands in for none is left out where the config has headers: one of them may identify the client.
    """
    key = config.api_key or (None if config.headers else NO_KEY)
    all_own = {**({"Authorization": f"Bearer {key}"} if key else {}), **own}
    replaced = {name.lower() for name in config.headers}
    return {**{name: value for name, value in all_own.items() if name.lower() not in replaced}, **config.headers}


@record(kw_only=True)
class ProviderSpec(ProviderFacts):
    """A provider that can be made: its facts, and how to make it (nothing heavy before it streams)."""

    create: Callable[[ProviderConfig], Provider]
