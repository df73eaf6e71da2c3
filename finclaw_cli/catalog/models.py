"""The models that finclaw knows by name; any other that a provider recognises can be used as well.

The names are those that the official SDKs list (anthropic 2.11, openai 3.52).
"""

from __future__ import annotations

from finclaw_cli.core.record import record

# The only definition of the default model.
DEFAULT_ANTHROPIC = "claude-sonnet-5-5"
DEFAULT_OPENAI = "gpt-6.1-sol"


@record(kw_only=True)
class KnownModel:
    """A model by its provider and its own name."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


_ANTHROPIC = ("claude-opus-5-5", DEFAULT_ANTHROPIC, "claude-haiku-5-5", "claude-opus-4-8", "claude-haiku-4-5")
_OPENAI = (DEFAULT_OPENAI, "gpt-6.1-terra", "gpt-6-astra", "gpt-6-luna", "gpt-5.6-sol", "gpt-5.5", "gpt-5.4-mini")

KNOWN_MODELS: tuple[KnownModel, ...] = (
    *(KnownModel(provider="anthropic", model=name) for name in _ANTHROPIC),
    *(KnownModel(provider="openai", model=name) for name in _OPENAI),
)
