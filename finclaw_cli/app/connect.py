"""From settings to models that can be asked."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.app.provider_access import DEMO, access, first_key, key_variable, transport
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import CredentialsError, UsageError
from finclaw_cli.core.ports import Provider, SupportsWarmup
from finclaw_cli.core.usage import Tier
from finclaw_cli.engine.connection import Connect, Connection
from finclaw_cli.engine.lanes import MOST_REQUESTS, Gate
from finclaw_cli.engine.pacing import UNPACED, Pacing
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.registry import BUILTIN, BUILTIN_ORIGIN, SERVER_ORIGIN, ProviderEntry, ProviderRegistry
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import user_file

NO_PLUGIN = frozenset({BUILTIN_ORIGIN, SERVER_ORIGIN})


def chosen_models(settings: Settings, registry: ProviderRegistry) -> tuple[ModelRef, ...]:
    """The model to ask and those that take over from it.

    Raises:
        UsageError: a name that matches no provider.
        CredentialsError: no model was named, and no provider has a key.
    """
    return (first_model(settings, registry), *(beside(settings, registry, name) for name in settings.fallback))


def first_model(settings: Settings, registry: ProviderRegistry) -> ModelRef:
    """The model to ask, whether or not there is a key for it; `--base-url` is the address of its provider.

    Raises:
        UsageError: a name that matches no provider, or an address for a server that has its own.
        CredentialsError: no model was named, and no provider has a key.
    """
    name = _first_with_key(settings) if settings.model is None else settings.model
    provider, model = registry.resolve(name, elsewhere=settings.base_url is not None)
    if settings.base_url is not None and registry.entry(provider).origin == SERVER_ORIGIN:
        raise UsageError(
            f"{provider} has its address in [providers.{provider}] of the settings: no other can be given",
            hint="Leave --base-url (FINCLAW_BASE_URL, base_url) out, or name the dialect: -m openai-chat:MODEL.",
        )
    return ModelRef(provider=provider, model=model)


def beside(settings: Settings, registry: ProviderRegistry, name: str) -> ModelRef:
    """A model that is asked beside the first one, or instead of it.

    Where the first model's provider was given another address, a name without a provider means a model of that server:
    the conversation goes to another server only where its provider is named.

    Raises:
        UsageError: a name that matches no provider.
    """
    name = registry.meant(name)
    if settings.base_url is not None and ":" not in name:
        name = f"{first_model(settings, registry).provider}:{name}"
    provider, model = registry.resolve(name)
    return ModelRef(provider=provider, model=model)


def named_in_full(settings: Settings, registry: ProviderRegistry) -> Settings:
    """The settings with the model that writes summaries named as `provider:model`, if one is named.

    Raises:
        UsageError: a name that matches no provider.
        CredentialsError: there is no key for it.
    """
    if settings.summary_model is None:
        return settings
    ref = beside(settings, registry, settings.summary_model)
    require_keys(settings, registry, (ref,))
    return replace(settings, summary_model=str(ref))


def _first_with_key(settings: Settings) -> str:
    if settings.base_url is not None:
        raise UsageError("--base-url needs a --model", hint="Name the model that the server offers: -m llama3.3")
    for spec in BUILTIN:
        if spec.default_model and first_key(settings, spec):
            return f"{spec.name}:{spec.default_model}"
    variables = " or ".join(key_variable(settings, spec) or "" for spec in BUILTIN if spec.default_model)
    raise CredentialsError(
        f"no model was named and no key was found: set {variables}",
        hint=f"For a server of your own, name its model and its address: -m MODEL --base-url URL, or `model` and "
        f"[providers.NAME] in {user_file()}.\nWithout a key, this works right away:\n  {DEMO}",
    )


class Connector:
    """Makes each provider once, with its key and address; its SDK is imported only when it is asked."""

    def __init__(
        self,
        settings: Settings,
        registry: ProviderRegistry,
        *,
        max_requests: int = MOST_REQUESTS,
        pacing: Pacing = UNPACED,
        tier: Tier = "standard",
    ) -> None:
        self._tier: Tier = tier
        self._settings = settings
        self._registry = registry
        self._max_requests = max_requests
        self._pacing = pacing
        self._made: dict[str, Connection] = {}

    def __call__(self, ref: ModelRef) -> Connection:
        """The connection to a model's provider."""
        made = self._made.get(ref.provider) or self._make(ref)
        return replace(made, ref=ref)

    async def aclose(self) -> None:
        """Close the providers that were made."""
        made, self._made = self._made, {}
        for connection in made.values():
            await connection.provider.aclose()

    def _make(self, ref: ModelRef) -> Connection:
        settings, entry = self._settings, self._registry.entry(ref.provider)
        config = access(settings, entry.facts, _given_address(settings, self._registry, ref))
        pacer = self._pacing.pacer(ref.provider, config)
        made = Connection(
            ref=ref,
            provider=_provider(entry, replace(config, on_answer=pacer.answered, tier=self._tier), settings.timeout),
            gate=Gate(SystemClock(), max_requests=self._max_requests),
            pacer=pacer,
            tier=self._tier,
            scripted=entry.facts.scripted,
            key_variable=key_variable(settings, entry.facts),
        )
        self._made[ref.provider] = made
        return made


def _provider(entry: ProviderEntry, config: ProviderConfig, limit_s: float) -> Provider:
    """The provider, or, where its code is a plugin's, what runs that code.

    Raises:
        ProviderError: the code of the plugin failed.
    """
    if entry.origin in NO_PLUGIN:
        return entry.load().create(config)
    from finclaw_cli.engine.plugin_provider import PluginOrigin, PluginProvider

    origin = PluginOrigin(provider=entry.facts.name, dist=entry.origin)
    with origin.code():
        return PluginProvider(entry.load().create(config), origin, limit_s)


def begin_to_connect(settings: Settings, registry: ProviderRegistry, connect: Connect, ref: ModelRef) -> None:
    """Let the way to a model's server be made while all else is made ready.

    What is imported for it, a plugin or an SDK, would only hold up the rest: it waits until it is asked.
    """
    entry = registry.entry(ref.provider)
    is_direct = entry.origin == SERVER_ORIGIN or transport(settings, entry.facts) == "direct"
    if entry.origin not in NO_PLUGIN or not is_direct:
        return
    provider = connect(ref).provider
    if isinstance(provider, SupportsWarmup):
        provider.prepare()


def require_keys(settings: Settings, registry: ProviderRegistry, models: tuple[ModelRef, ...]) -> None:
    """Look for every address and key that will be needed, before anything is read, imported or sent.

    Raises:
        UsageError: an address is none.
        CredentialsError: a key is missing.
    """
    for ref in models:
        access(settings, registry.entry(ref.provider).facts, _given_address(settings, registry, ref))


def _given_address(settings: Settings, registry: ProviderRegistry, ref: ModelRef) -> str | None:
    """`--base-url`, where it is for this model's provider; others keep their own."""
    if settings.base_url is None or first_model(settings, registry).provider != ref.provider:
        return None
    return settings.base_url
