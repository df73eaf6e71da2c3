"""Chat Completions as a provider: for every server that speaks OpenAI's older, simpler wire."""

from __future__ import annotations

from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.chat_decode import ChatDecoder
from finclaw_cli.providers.openai.chat_encode import encode_chat
from finclaw_cli.providers.openai.client import address, transport
from finclaw_cli.providers.openai.profiles import adapt_chat, chat_profile
from finclaw_cli.providers.wire import Dialect, WireProvider

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
        transport=transport(config, provider=name, endpoint="/chat/completions"),
        dialect=dialect,
        profile=chat_profile(address(config)),
    )
