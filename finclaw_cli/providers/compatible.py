"""Servers that implement the dialect of another vendor: those of the settings, and those of plugins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.config import ProviderConfig, ProviderSpec
from finclaw_cli.providers.facts import Api
from finclaw_cli.providers.registry import anthropic, openai_chat, openai_responses

_CREATE: Final[Mapping[Api, Callable[[ProviderConfig], Provider]]] = {
    "openai-chat": openai_chat,
    "openai-responses": openai_responses,
    "anthropic": anthropic,
}


def compatible_provider(
    name: str,
    *,
    base_url: str | None = None,
    api: Api = "openai-chat",
    key_variable: str | None = None,
    models: tuple[str, ...] = (),
    default_model: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> ProviderSpec:
    """Declare the provider of a server that implements a known dialect.

    It is always reached directly, without an SDK, which would read further headers and keys from variables of its
    vendor.

    Args:
        name: what stands before the colon in `provider:model`.
        base_url: the address, unless the user gives another one; None: only the user's.
        api: the dialect.
        key_variable: the variable of the key; None where it needs no key.
        models: patterns of the model names that it recognises without the provider.
        default_model: the model where none is named.
        headers: further request headers.
    """

    def create(config: ProviderConfig) -> Provider:
        given = replace(
            config,
            name=name,
            transport="direct",
            base_url=config.base_url or base_url,
            headers={**(headers or {}), **config.headers},
        )
        return _CREATE[api](given)

    return ProviderSpec(name=name, models=models, default_model=default_model, key_variable=key_variable, create=create)
