"""Responses as a provider: OpenAI itself, whose current models take tools only here."""

from __future__ import annotations

from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.client import batch_api_of, transport
from finclaw_cli.providers.openai.profiles import ResponsesProfile, adapt_responses, service_tier
from finclaw_cli.providers.openai.responses_decode import ResponsesDecoder
from finclaw_cli.providers.openai.responses_encode import encode_responses
from finclaw_cli.providers.wire import Dialect, WireProvider

ENDPOINT = "/responses"
PROVIDER = "openai"


def create_responses(config: ProviderConfig) -> Provider:
    """Make the provider; nothing is imported or sent before its first turn.

    Raises:
        CredentialsError: without a key, where no server of one's own is named.
        UsageError: when the address is none.
    """
    name = config.name or PROVIDER
    dialect = Dialect(
        encode=encode_responses,
        decoder=lambda model: ResponsesDecoder(provider=name, model=model),
        adapt=adapt_responses,
    )
    return WireProvider(
        name=name,
        transport=transport(config, provider=name, endpoint=ENDPOINT),
        dialect=dialect,
        profile=ResponsesProfile(service_tier=service_tier(config.tier)),
        batch_api=batch_api_of(config, provider=name, endpoint=ENDPOINT),
    )
