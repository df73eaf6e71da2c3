"""From the name of a model to its provider; adapters are imported only when their model is asked."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import partial

from finclaw_cli.catalog.models import DEFAULT_ANTHROPIC, DEFAULT_OPENAI, KNOWN_MODELS
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.ports import Provider
from finclaw_cli.core.record import record
from finclaw_cli.providers.config import ProviderConfig, ProviderSpec
from finclaw_cli.providers.facts import ProviderFacts


def anthropic(config: ProviderConfig) -> Provider:
    """Make a provider that speaks Messages."""
    from finclaw_cli.providers.anthropic.adapter import create

    return create(config)


def _openai(config: ProviderConfig) -> Provider:
    """OpenAI itself speaks Responses; any other address is served with Chat Completions."""
    return openai_chat(config) if config.base_url else openai_responses(config)


def openai_responses(config: ProviderConfig) -> Provider:
    """Make a provider that speaks Responses."""
    from finclaw_cli.providers.openai.responses import create_responses

    return create_responses(config)


def openai_chat(config: ProviderConfig) -> Provider:
    """Make a provider that speaks Chat Completions."""
    from finclaw_cli.providers.openai.chat import create_chat

    return create_chat(config)


def _scripted(config: ProviderConfig) -> Provider:  # noqa: ARG001 - every provider is made alike
    from finclaw_cli.providers.scripted import ScriptedProvider

    return ScriptedProvider()


OPENAI_KEY = "OPENAI_API_KEY"
BUILTIN_ORIGIN = "builtin"
SERVER_ORIGIN = "settings"
"""Where a provider comes from that is a server of the settings."""
MOST_CANDIDATES = 6
# In the order in which a key decides when no model is named.
BUILTIN: tuple[ProviderSpec, ...] = (
    ProviderSpec(
        name="anthropic",
        models=("claude-*",),
        default_model=DEFAULT_ANTHROPIC,
        key_variable="ANTHROPIC_API_KEY",
        finds_credentials=True,
        create=anthropic,
    ),
    ProviderSpec(
        name="openai",
        models=("gpt-*", "o1*", "o3*", "o4*"),
        default_model=DEFAULT_OPENAI,
        key_variable=OPENAI_KEY,
        create=_openai,
    ),
    ProviderSpec(name="openai-responses", key_variable=OPENAI_KEY, create=openai_responses),
    ProviderSpec(name="openai-chat", key_variable=OPENAI_KEY, create=openai_chat),
    ProviderSpec(name="scripted", scripted=True, create=_scripted),
)


@record(kw_only=True)
class ProviderEntry:
    """A provider that is known but perhaps not imported yet. `load` imports it and may raise `UsageError`."""

    facts: ProviderFacts
    origin: str
    load: Callable[[], ProviderSpec]
    is_trusted: bool = True
    """Whether the user trusts the plugin it comes from; another one's provider is never used."""


class ProviderRegistry:
    """All installed providers by name; those that ship with finclaw keep their names."""

    def __init__(self, plugins: Iterable[ProviderEntry] = (), aliases: Mapping[str, str] | None = None) -> None:
        builtin = [ProviderEntry(facts=spec, origin=BUILTIN_ORIGIN, load=partial(_itself, spec)) for spec in BUILTIN]
        self._entries: dict[str, ProviderEntry] = {}
        for entry in sorted((*builtin, *plugins), key=lambda entry: not entry.is_trusted):
            self._entries.setdefault(entry.facts.name, entry)
        self._aliases = dict(aliases or {})

    @property
    def entries(self) -> list[ProviderEntry]:
        return list(self._entries.values())

    def entry(self, provider: str) -> ProviderEntry:
        """The provider of that name, which `resolve` has already seen."""
        return self._entries[provider]

    def is_scripted(self, provider: str) -> bool:
        """Whether a provider's words come from a script; one that is not installed is not known to."""
        return provider in self._entries and self._entries[provider].facts.scripted

    def meant(self, name: str) -> str:
        """The name that an alias stands for, which may be one itself; any other name as it is."""
        seen: set[str] = set()
        while name in self._aliases and name not in seen:
            seen.add(name)
            name = self._aliases[name]
        return name

    def resolve(self, name: str, *, elsewhere: bool = False) -> tuple[str, str]:
        """Provider and model for `provider:model`, a bare name that a provider recognises, or an alias.

        With `elsewhere` (another address was given) an unknown bare name is a model of that server.

        Raises:
            UsageError: no provider recognises the name; near matches and the providers installed are named.
        """
        name = self.meant(name)
        if not name.isprintable() or name != name.strip():
            raise UsageError(f"{name[:80]!r} is no name of a model", hint="Write provider:model.", code="unknown_model")
        provider, colon, model = name.partition(":")
        if colon and provider in self._entries:
            return self._with_model(provider, model)
        trusted = (entry for entry in self._entries.values() if entry.is_trusted)
        recognised = next((entry for entry in trusted if _recognises(entry.facts, name)), None)
        if recognised is not None:
            return recognised.facts.name, name
        if elsewhere:
            return "openai", name
        raise self._unknown(name)

    def _with_model(self, provider: str, model: str) -> tuple[str, str]:
        if not self._entries[provider].is_trusted:
            raise _untrusted(self._entries[provider])
        chosen = model or self._entries[provider].facts.default_model
        if not chosen:
            raise UsageError(f"{provider!r} needs a model: {provider}:MODEL", code="unknown_model")
        return provider, chosen

    def _unknown(self, name: str) -> UsageError:
        names = [*self._aliases, *self._entries, *(text for m in KNOWN_MODELS for text in (str(m), m.model))]
        names.extend(pattern for e in self._entries.values() for pattern in e.facts.models if "*" not in pattern)
        part = name.casefold()
        near = [known for known in dict.fromkeys(names) if part and part in known.casefold()][:MOST_CANDIDATES]
        near = near or difflib.get_close_matches(name, dict.fromkeys(names), n=3, cutoff=0.6)
        return UsageError(
            f"no provider recognises the model {name!r}" + (f"; did you mean {', '.join(near)}?" if near else ""),
            hint=f"Write provider:model. Providers installed: {', '.join(sorted(self._entries))}.",
            code="unknown_model",
        )


def _untrusted(entry: ProviderEntry) -> UsageError:
    return UsageError(
        f"the provider {entry.facts.name!r} is of {entry.origin}, which is not trusted",
        hint=f"Trust the plugin as it is installed now: finclaw plugins trust {entry.origin}",
        code="untrusted_plugin",
    )


def _itself(spec: ProviderSpec) -> ProviderSpec:
    return spec


def _recognises(facts: ProviderFacts, name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in facts.models)
