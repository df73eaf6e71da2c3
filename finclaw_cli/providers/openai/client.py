"""The door to OpenAI and to all that speak as it does: over HTTP directly, or through its SDK where asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

from finclaw_cli.core.errors import CredentialsError, UsageError
from finclaw_cli.http.client import Client, HttpTransport, Target
from finclaw_cli.providers.batches import BatchApi
from finclaw_cli.providers.config import NO_KEY, ProviderConfig, with_headers
from finclaw_cli.providers.failures import refused
from finclaw_cli.providers.select import reach

OPENAI_URL = "https://api.openai.com/v1"
_ENDPOINTS = ("/chat/completions", "/responses")


def address(config: ProviderConfig) -> str:
    """Where the API stands: OpenAI's own address, or the given one, in the form that the SDK wants.

    Raises:
        UsageError: when it is no address at all.
    """
    if config.base_url is None:
        return OPENAI_URL
    url = config.base_url.strip().rstrip("/")
    for endpoint in _ENDPOINTS:
        url = url.removesuffix(endpoint)
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(
            f"not an address: {config.base_url!r}", hint="write it in full, as in http://localhost:11434/v1"
        )
    return url if parts.path else f"{url}/v1"


def require_key(config: ProviderConfig) -> None:
    """A server of one's own may need no key; OpenAI does.

    Raises:
        CredentialsError: when there is none.
    """
    if config.api_key is None and config.base_url is None:
        raise CredentialsError(
            "no key for OpenAI", hint="set OPENAI_API_KEY, or name a server of your own with --base-url"
        )


def transport(config: ProviderConfig, *, provider: str, endpoint: str) -> HttpTransport:
    """Makes a transport to one endpoint; nothing is imported or sent before `prepare` or the first request.

    Raises:
        CredentialsError: without a key, where no server of one's own is named.
        UsageError: when the address is none.
    """
    require_key(config)
    return HttpTransport(provider, partial(_connect, config, address(config), provider, endpoint), config.on_answer)


def batch_api_of(config: ProviderConfig, *, provider: str, endpoint: str) -> Callable[[], BatchApi]:
    """Makes the way to batches of requests to one endpoint."""

    def make() -> BatchApi:
        from finclaw_cli.providers.batch_http import BatchHttp
        from finclaw_cli.providers.openai.batches import OpenAIBatches

        return OpenAIBatches(provider, BatchHttp(provider, address(config), config, {}), f"/v1{endpoint}")

    return make


def _connect(config: ProviderConfig, root: str, provider: str, endpoint: str) -> Client:
    key = config.api_key or NO_KEY

    def by_sdk() -> Client:
        from finclaw_cli.providers.openai import sdk

        return sdk.connect(config, provider, key, root, endpoint)

    target = Target(
        provider=provider,
        url=f"{root}{endpoint}",
        headers=with_headers({}, config),
        connect_timeout_s=config.connect_timeout_s,
        refused=refused,
    )
    return reach(config, target, by_sdk)
