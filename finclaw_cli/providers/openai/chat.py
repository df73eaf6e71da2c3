"""Chat Completions as a provider: for every server that speaks OpenAI's older, simpler wire."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.chat_decode import ChatDecoder
from finclaw_cli.providers.openai.chat_encode import encode_chat
from finclaw_cli.providers.openai.client import address, batch_api_of, transport
from finclaw_cli.providers.openai.profiles import adapt_chat, chat_profile, service_tier
from finclaw_cli.providers.wire import Dialect, WireProvider

ENDPOINT = "/chat/completions"
PROVIDER = "openai-compatible"


def create_chat(config: ProviderConfig) -> Provider:
    """Make the provider; nothing is imported or sent before its first turn.

    Raises:
        CredentialsError: without a key, where no server of one's own is named.
        UsageError: when the address is none.
    """
    name = config.name or PROVIDER
    dialect = Dialect(
        encode=encode_chat, decoder=lambda model: ChatDecoder(provider=name, model=model), adapt=adapt_chat
    )
    return WireProvider(
        name=name,
        transport=transport(config, provider=name, endpoint=ENDPOINT),
        dialect=dialect,
        profile=replace(chat_profile(address(config)), service_tier=service_tier(config.tier)),
        batch_api=batch_api_of(config, provider=name, endpoint=ENDPOINT),
    )
