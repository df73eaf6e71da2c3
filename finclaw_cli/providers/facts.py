"""The facts of a provider that are known without importing it, or anything that one is made of."""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core.record import record

Api = Literal["openai-chat", "openai-responses", "anthropic"]
"""A dialect that compatible servers implement: Chat Completions, Responses, Messages."""


@record(kw_only=True)
class ProviderFacts:
    """The facts of a provider that are known without importing it."""

    name: str
    """What stands before the colon in `provider:model`."""
    models: tuple[str, ...] = ()
    """Patterns of the bare model names it recognises: `claude-*`."""
    default_model: str | None = None
    key_variable: str | None = None
    """The variable its key comes from; None where it needs no key."""
    finds_credentials: bool = False
    """Its SDK knows other credentials than a key: tokens, profiles, federations."""
    scripted: bool = False
    """Its words come from a script, and runs say so."""
