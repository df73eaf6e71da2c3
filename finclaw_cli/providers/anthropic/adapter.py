"""Anthropic as a provider: over HTTP directly, or through its SDK where that was asked for."""

from __future__ import annotations

from functools import partial

from finclaw_cli.core.errors import CredentialsError
from finclaw_cli.core.record import record
from finclaw_cli.http.client import Client, HttpTransport, Target
from finclaw_cli.providers.anthropic.blocks import PROVIDER
from finclaw_cli.providers.anthropic.decode import Decoder
from finclaw_cli.providers.anthropic.encode import encode
from finclaw_cli.providers.batches import BatchApi
from finclaw_cli.providers.config import NO_KEY, ProviderConfig, with_headers
from finclaw_cli.providers.failures import refused
from finclaw_cli.providers.select import reach
from finclaw_cli.providers.wire import Dialect, WireProvider

BASE_URL = "https://api.anthropic.com"
_PATH = "/v1/messages"
# The version whose events `decode` reads and whose rules `encode` keeps; the SDK sends the same.
_VERSION = "2026-10-21"


@record(kw_only=True)
class AnthropicProfile:
    """What a server of this dialect accepts: always the same."""

    temperature: bool = False


def create(config: ProviderConfig) -> WireProvider[AnthropicProfile]:
    """Make the provider; no client is imported and nothing is sent before `prepare` or the first request.

    Raises:
        CredentialsError: without a key, unless the server is another one than Anthropic's, or its SDK is asked to
            find credentials of its own.
    """
    if not config.api_key and not config.base_url and config.transport == "direct":
        raise CredentialsError(
            "there is no key for Anthropic", hint="set ANTHROPIC_API_KEY, or try `--model demo`, which needs none"
        )
    name = config.name or PROVIDER
    dialect: Dialect[AnthropicProfile] = Dialect(
        encode=lambda request, _: encode(request), decoder=lambda model: Decoder(model, name), adapt=lambda *_: None
    )
    transport = HttpTransport(name, partial(_connect, config, name), config.on_answer)
    batch_api = partial(_batch_api, config, name)
    return WireProvider(
        name=name, transport=transport, dialect=dialect, profile=AnthropicProfile(), batch_api=batch_api
    )


def _batch_api(config: ProviderConfig, name: str) -> BatchApi:
    from finclaw_cli.providers.anthropic.batches import AnthropicBatches
    from finclaw_cli.providers.batch_http import BatchHttp

    return AnthropicBatches(name, BatchHttp(name, _root(config.base_url), config, {"anthropic-version": _VERSION}))


def _connect(config: ProviderConfig, name: str) -> Client:
    target = Target(
        provider=name,
        url=f"{_root(config.base_url)}{_PATH}",
        headers=with_headers({"anthropic-version": _VERSION}, config),
        connect_timeout_s=config.connect_timeout_s,
        refused=refused,
    )
    return reach(config, target, partial(_by_sdk, config))


def _by_sdk(config: ProviderConfig) -> Client:
    from finclaw_cli.providers.anthropic import sdk

    if config.api_key or config.base_url:
        return sdk.connect(config, config.api_key or NO_KEY, _root(config.base_url), _PATH)
    return sdk.connect(config, None, None, _PATH)


def _root(base_url: str | None) -> str:
    """The address without the version, which the path brings: people give it either way."""
    return (base_url or BASE_URL).rstrip("/").removesuffix("/v1").rstrip("/")
