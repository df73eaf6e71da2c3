"""From settings to models that can be asked."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from urllib.parse import urlsplit

from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import CredentialsError, UsageError
from finclaw_cli.core.ports import Preparing
from finclaw_cli.providers.config import CONNECT_TIMEOUT_S, ProviderConfig, TransportName
from finclaw_cli.providers.facts import ProviderFacts
from finclaw_cli.providers.registry import BUILTIN, BUILTIN_ORIGIN, ProviderRegistry
from finclaw_cli.resilience.lanes import Gate
from finclaw_cli.runner.connection import Connect, Connection
from finclaw_cli.runner.request import ModelRef
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.secrets import find_key

DEMO = 'finclaw run --model demo "How did ACME do this year?"'
# The variables in which the official SDKs look for another address.
_OF_FIRST_CHUNK = 0.8
"""The part of the wait for the first chunk that connecting may take."""
SDK_ADDRESSES = {"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}
# And for headers that go with each request, which gateways may want.
SDK_HEADERS = {
    "anthropic": "ANTHROPIC_CUSTOM_HEADERS",
    "openai": "OPENAI_CUSTOM_HEADERS",
    "openai-responses": "OPENAI_CUSTOM_HEADERS",
    "openai-chat": "OPENAI_CUSTOM_HEADERS",
}


def chosen_models(settings: Settings, registry: ProviderRegistry) -> tuple[ModelRef, ...]:
    """The model to ask and those that take over from it.

    Raises:
        UsageError: a name that nobody recognises.
        CredentialsError: no model was named, and no provider has a key.
    """
    first = settings.model or _first_with_key(settings)
    elsewhere = settings.base_url is not None
    names = (first, *settings.fallback)
    resolved = [registry.resolve(name, elsewhere=elsewhere) for name in names]
    return tuple(ModelRef(provider=provider, model=model) for provider, model in resolved)


def asked_model(settings: Settings, registry: ProviderRegistry) -> ModelRef:
    """The model that would be asked, whether or not there is a key for it.

    Raises:
        UsageError: a name that nobody recognises.
        CredentialsError: no model was named, and no provider has a key.
    """
    if settings.model is None:
        return chosen_models(settings, registry)[0]
    provider, model = registry.resolve(settings.model, elsewhere=settings.base_url is not None)
    return ModelRef(provider=provider, model=model)


def named_in_full(settings: Settings, registry: ProviderRegistry) -> Settings:
    """The settings with the model that writes summaries named as `provider:model`, if one is named.

    Raises:
        UsageError: a name that nobody recognises.
        CredentialsError: there is no key for it.
    """
    if settings.summary_model is None:
        return settings
    provider, model = registry.resolve(settings.summary_model, elsewhere=settings.base_url is not None)
    named = replace(settings, summary_model=f"{provider}:{model}")
    require_keys(named, registry, (ModelRef(provider=provider, model=model),))
    return named


def _first_with_key(settings: Settings) -> str:
    if settings.base_url is not None:
        raise UsageError("--base-url needs a --model", hint="Name the model that the server offers: -m llama3.3")
    for spec in BUILTIN:
        if spec.default_model and spec.key_variable and find_key(_key_variable(settings, spec) or spec.key_variable):
            return f"{spec.name}:{spec.default_model}"
    variables = " or ".join(spec.key_variable for spec in BUILTIN if spec.default_model and spec.key_variable)
    raise CredentialsError(
        f"no model was named and no key was found: set {variables}",
        hint=f"Without a key, this works right away:\n  {DEMO}",
    )


def connector(settings: Settings, registry: ProviderRegistry, models: tuple[ModelRef, ...]) -> Connect:
    """Makes each provider once, with its key and address; its SDK is imported only when it is asked."""
    connections: dict[str, Connection] = {}

    def connect(ref: ModelRef) -> Connection:
        known = connections.get(ref.provider)
        if known is None:
            spec = registry.entry(ref.provider).load()
            config = _config(settings, spec, _given_address(settings, ref, models))
            known = Connection(ref=ref, provider=spec.create(config), gate=Gate(SystemClock()), scripted=spec.scripted)
            connections[ref.provider] = known
        return replace(known, ref=ref)

    return connect


def begin_to_connect(settings: Settings, registry: ProviderRegistry, connect: Connect, ref: ModelRef) -> None:
    """Let the way to a model's server be made while all else is made ready.

    What is imported for it, a plugin or an SDK, would only hold up the rest: it waits until it is asked.
    """
    entry = registry.entry(ref.provider)
    if entry.origin != BUILTIN_ORIGIN or _transport(settings, entry.facts) != "direct":
        return
    provider = connect(ref).provider
    if isinstance(provider, Preparing):
        provider.prepare()


def require_keys(settings: Settings, registry: ProviderRegistry, models: tuple[ModelRef, ...]) -> None:
    """Look for every key that will be needed, before anything is read, imported or sent.

    Raises:
        CredentialsError: one is missing.
    """
    for ref in models:
        _config(settings, registry.entry(ref.provider).facts, _given_address(settings, ref, models))


def _given_address(settings: Settings, ref: ModelRef, models: tuple[ModelRef, ...]) -> str | None:
    """`--base-url` is the address of the first model's provider; others keep their own."""
    return settings.base_url if ref.provider == models[0].provider else None


def _config(settings: Settings, facts: ProviderFacts, given: str | None) -> ProviderConfig:
    own = settings.providers.get(facts.name)
    address = given or (own.base_url if own else None) or os.environ.get(SDK_ADDRESSES.get(facts.name, ""))
    if address:
        _check_address(address)
    variable = _key_variable(settings, facts)
    key = find_key(variable) if variable else None
    transport = _transport(settings, facts)
    if variable and key is None and not address and not (transport == "sdk" and facts.finds_credentials):
        raise CredentialsError(
            f"no key for {facts.name}: set {variable}",
            hint=f"Without a key, this works right away:\n  {DEMO}",
        )
    # Before the wait for the first chunk is over: a connection that was never made costs nothing.
    connect_s = min(CONNECT_TIMEOUT_S, _OF_FIRST_CHUNK * settings.first_chunk_timeout)
    return ProviderConfig(api_key=key, base_url=address or None, transport=transport, connect_timeout_s=connect_s)


def _transport(settings: Settings, facts: ProviderFacts) -> TransportName:
    """Directly, unless something else was asked for: headers of the user's own are known to the SDKs alone."""
    if settings.transport is not None:
        return settings.transport
    return "sdk" if os.environ.get(SDK_HEADERS.get(facts.name, "")) else "direct"


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


def _key_variable(settings: Settings, facts: ProviderFacts) -> str | None:
    own = settings.providers.get(facts.name)
    return (own.key_variable if own else None) or facts.key_variable
