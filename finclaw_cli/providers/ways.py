"""The two ways to a provider: over HTTP directly, or through its SDK where that was asked for."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.failures import unsendable_key
from finclaw_cli.providers.http import Client, Target


def reach(config: ProviderConfig, target: Target, by_sdk: Callable[[], Client]) -> Client:
    """Make the client, by the way that the config names.

    Raises:
        ProviderError: the key can be in no header, or what the environment says of proxies or authorities is of no use.
    """
    if config.api_key and not (config.api_key.isascii() and config.api_key.isprintable()):
        raise unsendable_key(target.provider)
    match config.transport:
        case "direct":
            from finclaw_cli.providers import direct

            return direct.connect(target)
        case "sdk":
            return by_sdk()
