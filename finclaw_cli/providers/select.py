"""The two ways to a provider: over HTTP directly, or through its SDK where that was asked for."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.http.client import Client, Target
from finclaw_cli.http.failures import unsendable_key
from finclaw_cli.providers.config import ProviderConfig


def reach(config: ProviderConfig, target: Target, by_sdk: Callable[[], Client]) -> Client:
    """Make the client, by the way that the config names.

    Raises:
        ProviderError: the key can be in no header, the address has credentials of its own, which HTTP clients send in
            place of the key, or the proxies or authorities of the environment cannot be used.
    """
    if "@" in urlsplit(target.url).netloc:
        raise ProviderError(
            f"{target.provider}: the address has a user name or a password in it",
            reason="bad_request",
            code="bad_base_url",
            provider=target.provider,
            hint="leave out what stands before the @ in --base-url",
        )
    if config.api_key and not (config.api_key.isascii() and config.api_key.isprintable()):
        raise unsendable_key(target.provider)
    match config.transport:
        case "direct":
            from finclaw_cli.http import h11_client

            return h11_client.connect(target)
        case "sdk":
            return by_sdk()
