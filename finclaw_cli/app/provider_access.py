"""How a provider is reached: its address, its key, its headers and its transport."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import CredentialsError, UsageError
from finclaw_cli.providers.config import CONNECT_TIMEOUT_S, ProviderConfig, TransportName
from finclaw_cli.providers.facts import ProviderFacts
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.secrets import find_key
from finclaw_cli.settings.tables import ProviderSettings

DEMO = 'finclaw run --model demo "How did ACME do this year?"'
_OF_FIRST_CHUNK = 0.8
"""The part of the wait for the first chunk that connecting may take."""
# The variables in which the official SDKs look for another address.
SDK_ADDRESSES = {
    "anthropic": "ANTHROPIC_BASE_URL",
    "openai": "OPENAI_BASE_URL",
    "openai-responses": "OPENAI_BASE_URL",
    "openai-chat": "OPENAI_BASE_URL",
}
# For headers that go with each request, which gateways may want.
SDK_HEADERS = {
    "anthropic": "ANTHROPIC_CUSTOM_HEADERS",
    "openai": "OPENAI_CUSTOM_HEADERS",
    "openai-responses": "OPENAI_CUSTOM_HEADERS",
    "openai-chat": "OPENAI_CUSTOM_HEADERS",
}
# For tokens that are sent as a key is, where there is no key.
SDK_TOKENS = {"anthropic": "ANTHROPIC_AUTH_TOKEN"}
_UNSET = ProviderSettings()


def access(settings: Settings, facts: ProviderFacts, given: str | None) -> ProviderConfig:
    """Find what is needed to reach a provider.

    Args:
        settings: the user's.
        facts: the provider.
        given: the address that was given for this run, if it is this provider's.

    Raises:
        UsageError: the address is none.
        CredentialsError: there is no key, and the provider needs one.
    """
    own = settings.providers.get(facts.name, _UNSET)
    address = _address(facts, own, given)
    chosen = transport(settings, facts)
    key = first_key(settings, facts)
    variable = key_variable(settings, facts)
    is_optional = address is not None or (chosen == "sdk" and facts.finds_credentials)
    if variable and key is None and (own.key_variable or not is_optional):
        raise CredentialsError(
            f"no key for {facts.name}: set {variable}",
            hint=f"Without a key, this works right away:\n  {DEMO}",
        )
    return ProviderConfig(
        api_key=key,
        base_url=address,
        headers=own.headers,
        transport=chosen,
        # Before the wait for the first chunk is over: a connection that was never made costs nothing.
        connect_timeout_s=min(CONNECT_TIMEOUT_S, _OF_FIRST_CHUNK * settings.first_chunk_timeout),
    )


def key_variable(settings: Settings, facts: ProviderFacts) -> str | None:
    """The variable that holds a provider's key: the settings' before the provider's usual one."""
    return settings.providers.get(facts.name, _UNSET).key_variable or facts.key_variable


def first_key(settings: Settings, facts: ProviderFacts) -> str | None:
    """The provider's key, or the token that takes its place."""
    variable = key_variable(settings, facts)
    key = find_key(variable) if variable else None
    is_usual = variable is not None and variable == facts.key_variable
    if key is None and is_usual and facts.name in SDK_TOKENS:
        return find_key(SDK_TOKENS[facts.name])
    return key


def transport(settings: Settings, facts: ProviderFacts) -> TransportName:
    """Directly, unless something else was asked for: headers of the user's own are known to the SDKs alone."""
    if settings.transport is not None:
        return settings.transport
    return "sdk" if environment().variables.get(SDK_HEADERS.get(facts.name, "")) else "direct"


def _address(facts: ProviderFacts, own: ProviderSettings, given: str | None) -> str | None:
    """The address given for this run, else the settings', else that of the SDK's variable."""
    address = given if given is not None else own.base_url
    variable = SDK_ADDRESSES.get(facts.name)
    if address is None and variable is not None:
        address = environment().variables.get(variable)
        if address is not None and not address.strip():
            raise UsageError(
                f"{variable} is empty",
                hint="Give it the address of a server, or unset it.",
                code="bad_address",
            )
    if address is not None:
        _check_address(address)
    return address


def _check_address(address: str) -> None:
    if "@" in re.split(r"[?#]", address)[0]:
        raise UsageError(
            "the address of the server has a user name or a password in it, which would take the place of the key",
            hint="Leave out what stands before the @ in --base-url, and set the key's variable.",
            code="bad_address",
        )
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:  # brackets that do not close, a port that is none
        usable = False
    if usable and ("?" in address or "#" in address):
        raise UsageError(
            f"{address[:200]!r}: paths are added to the address of a server, so it cannot have a query",
            hint="Leave out what stands behind ? or #.",
            code="bad_address",
        )
    if not usable or not address.isprintable():
        raise UsageError(
            f"{address[:200]!r} is no address of a server",
            hint="Write it in full: --base-url http://localhost:11434/v1",
            code="bad_address",
        )
