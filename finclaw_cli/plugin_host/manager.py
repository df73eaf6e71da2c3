"""The installed plugins: known from their manifests, imported when something of theirs is used, if that is allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.interruption import plugin_code
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolDefinition, ToolGroup, ToolSpec
from finclaw_cli.core.toolset import PlacedToolSet
from finclaw_cli.plugin_host.first_party import released_digests
from finclaw_cli.plugin_host.installed import (
    InstalledPlugin,
    damaged,
    installed_extensions,
    installed_plugins,
)
from finclaw_cli.plugin_host.kept_tools import kept_tools
from finclaw_cli.plugin_host.manifest import TOOLSETS, PluginManifest
from finclaw_cli.plugin_host.manifest_sources import ManifestSources, find_manifests
from finclaw_cli.plugin_host.stdout_redirect import stdout_to_stderr
from finclaw_cli.plugin_host.trust import TRUSTED, Standing, TrustStore, untrusted
from finclaw_cli.tools.registry import ToolEntry

Found = TypeVar("Found")
Spec = TypeVar("Spec", bound=ToolSpec)
PROBE_TIMEOUT_S = 30.0


@record(kw_only=True)
class PluginChoice:
    """Which plugins the user wants, however their names are written: all by default."""

    only: Collection[str] | None = None
    deny: Collection[str] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the user wants none at all."""
        return self.only is not None and not self.only

    def admits(self, plugin: InstalledPlugin) -> bool:
        return self.admits_names(plugin.dist, plugin.entry_point.name)

    def admits_names(self, *of_one_plugin: str) -> bool:
        """Whether the user wants a plugin, by each of its names that are known."""
        names = set(map(dist_name, of_one_plugin))
        is_wanted = self.only is None or not names.isdisjoint(map(dist_name, self.only))
        return is_wanted and names.isdisjoint(map(dist_name, self.deny))


def _unnoticed(_names: list[str]) -> None:
    """The default of `on_new`."""


class PluginManager:
    """Knows what is installed from the manifests; imports a plugin at its first use, each in its own try.

    Args of the constructor:
        cache: the file that keeps manifests; bytecode and copies of libraries of plugins are kept beside it.
        choice: which plugins the user wants.
        trust: which plugins the user trusts.
        groups: the groups that the user gives to single tools.
        probe_timeout_s: how long a probe may take.
        probes_untrusted: whether a plugin that is not trusted is probed; else it is left out while it has no manifest.
        on_new: called with the names of the plugins that are about to be probed.
    """

    def __init__(
        self,
        cache: Path,
        choice: PluginChoice | None = None,
        *,
        trust: TrustStore,
        groups: Mapping[str, ToolGroup] | None = None,
        probe_timeout_s: float = PROBE_TIMEOUT_S,
        probes_untrusted: bool = True,
        on_new: Callable[[list[str]], None] = _unnoticed,
    ) -> None:
        self.choice = choice or PluginChoice()
        self._home = cache.parent.parent
        self._bytecode = cache.parent / "bytecode"
        admitted = [plugin for plugin in installed_plugins() if self.choice.admits(plugin)]
        self._plugins = {plugin.key: plugin for plugin in admitted if plugin.fault is None}
        self.trust = trust
        self._groups = groups or {}
        self._standings: dict[str, Standing] = {}
        self._loaded: dict[str, object] = {}
        sources = ManifestSources(
            cache=cache,
            probe_timeout_s=probe_timeout_s,
            may_probe=lambda plugin: probes_untrusted or self._standing(plugin) in TRUSTED,
            on_new=on_new,
        )
        found = find_manifests(list(self._plugins.values()), sources)
        self.manifests = [self._with_kept(self._usable(each)) for each in found]

    @property
    def failed(self) -> list[PluginManifest]:
        return [manifest for manifest in self.manifests if manifest.error is not None]

    def tool_entries(self) -> list[ToolEntry]:
        """All tools of all plugins that work."""
        return [
            ToolEntry(
                spec=self._placed(spec, manifest),
                origin=manifest.dist,
                load=partial(self._tool, manifest, spec),
                require_usable=partial(self._require_still_trusted, manifest),
            )
            for manifest in self.manifests
            for spec in manifest.tools
        ]

    def installed(self, dist: str) -> InstalledPlugin:
        """The installed plugin of that name.

        Raises:
            UsageError: there is none, or it is damaged.
        """
        if fault := damaged().get(dist_name(dist)):
            raise fault
        for plugin in (*self._plugins.values(), *installed_extensions()):
            if dist_name(plugin.dist) == dist_name(dist):
                return plugin
        known = ", ".join(sorted({plugin.dist for plugin in self._plugins.values()})) or "none"
        raise UsageError(f"no plugin is called {dist!r}; installed: {known}", code="unknown_plugin")

    def standing(self, manifest: PluginManifest) -> Standing:
        """How far the user trusts a plugin, as it is installed now."""
        return self._standing(self._plugins[manifest.key])

    def _usable(self, manifest: PluginManifest) -> PluginManifest:
        """The manifest; of a plugin that only has the name of one of finclaw's own, nothing is offered."""
        if dist_name(manifest.dist) not in released_digests() or self.trusts(manifest):
            return manifest
        way = f"install it again, or trust it (finclaw plugins trust {manifest.dist})"
        error = f"it is not {manifest.dist} as it was released with this finclaw: {way}"
        nothing: dict[str, Any] = dict.fromkeys(("tools", "providers", "commands", "skills", "hooks"), ())
        return replace(manifest, **nothing, error=error)

    def _with_kept(self, manifest: PluginManifest) -> PluginManifest:
        """The manifest, with the tools that its plugin has stored for its toolsets, where it is trusted."""
        if TOOLSETS not in manifest.hooks or not self.trusts(manifest):
            return manifest
        tools, problems = kept_tools(self._home, manifest.dist, manifest.tools)
        return replace(manifest, tools=(*manifest.tools, *tools), problems=(*manifest.problems, *problems))

    def _standing(self, plugin: InstalledPlugin) -> Standing:
        if plugin.key not in self._standings:
            self._standings[plugin.key] = self.trust.standing(plugin)
        return self._standings[plugin.key]

    def trusts(self, manifest: PluginManifest) -> bool:
        """Whether its tools may run unasked and its hooks take part."""
        return self.standing(manifest) in TRUSTED

    def _require_still_trusted(self, manifest: PluginManifest) -> None:
        """Require that a plugin which was trusted when this process began is so now.

        Raises:
            UsageError: its trust was revoked since.
        """
        if self.standing(manifest) == "trusted" and not self.trust.has_pin(manifest.dist):
            raise UsageError(f"{manifest.dist} is no longer trusted", code="untrusted_plugin")

    def _placed(self, spec: Spec, manifest: PluginManifest) -> Spec:
        """A tool with what its plugin has no say in: where it comes from, whether it is trusted."""
        source, group = f"plugin:{manifest.dist}", self._groups.get(spec.name, spec.group)
        return replace(spec, source=source, trusted=self.trusts(manifest), group=group)

    def provider(self, manifest: PluginManifest, name: str) -> Any:
        """Import a plugin for one of its providers, a `ProviderSpec`.

        Raises:
            UsageError: the plugin cannot be imported, or no longer has that provider.
        """
        from finclaw_cli.plugin_host.offers import providers_of

        plugin = self.load(manifest)
        with plugin_code():
            specs = providers_of(plugin)
        return _one(manifest, "provider", name, (spec for spec in specs if spec.name == name))

    def command(self, manifest: PluginManifest, name: str) -> Any:
        """Import a plugin for one of its commands.

        Raises:
            UsageError: the plugin cannot be imported, or no longer has that command.
        """
        from finclaw_cli.plugin_host.offers import commands_of

        plugin = self.load(manifest)
        with plugin_code():
            commands = commands_of(plugin)
        return _one(manifest, "command", name, (command for known, command in commands.items() if known == name))

    def load(self, manifest: PluginManifest) -> object:
        """Import a trusted plugin, once.

        Raises:
            UsageError: it is not trusted, or it raised, or asked to exit, while it was imported.
        """
        if not self.trusts(manifest):
            raise untrusted(manifest.dist)
        return self._imported(manifest)

    def _imported(self, manifest: PluginManifest) -> object:
        """Import a plugin that is trusted, or whose tool the user has approved."""
        if manifest.key not in self._loaded:
            from finclaw_cli.masking.stray_logs import mask_stray_logs
            from finclaw_cli.plugin_host.conformance.author_line import described
            from finclaw_cli.plugin_host.offers import hooks_of

            if environment().owns_process:
                mask_stray_logs()
            self._pin(manifest)
            try:
                with stdout_to_stderr(), plugin_code():
                    plugin = self._plugins[manifest.key].entry_point.load()
                hooks_of(plugin)
            except Exception as error:
                raise UsageError(
                    f"plugin {manifest.dist} cannot be used: {described(error)}",
                    hint="`finclaw doctor` shows the traceback.",
                    code="plugin_failed",
                ) from error
            self._loaded[manifest.key] = plugin
        return self._loaded[manifest.key]

    def _pin(self, manifest: PluginManifest) -> None:
        from finclaw_cli.plugin_host.first_party_imports import prepare_import

        prepare_import(self._plugins[manifest.key], self.trust, self._bytecode)

    def hooks(self, manifest: PluginManifest) -> Any:
        """The hooks of a plugin, ready to be called; it is imported if need be.

        Raises:
            UsageError: as `load`.
        """
        from finclaw_cli.plugin_host.offers import hooks_of

        return hooks_of(self.load(manifest))

    def toolset(self, dist: str, name: str) -> PlacedToolSet:
        """A new object of a toolset; its plugin is imported: for calls that the policy, or the user, has allowed.

        Raises:
            UsageError: the plugin cannot be imported, or no longer has that toolset.
        """
        from finclaw_cli.plugin_host.toolsets import new_toolset

        manifest = next(each for each in self.manifests if each.dist == dist)
        return new_toolset(self._imported(manifest), name, partial(self._placed, manifest=manifest))

    def _tool(self, manifest: PluginManifest, spec: ToolSpec) -> ToolDefinition:
        """Import the plugin; the executor does so only for a call that the policy, or the user, has allowed."""
        from finclaw_cli.plugin_host.offers import tool_of

        if spec.toolset:
            known, _ = self.toolset(manifest.dist, spec.toolset).tools()
            return _one(manifest, "tool", spec.name, (tool for tool in known if tool.name == spec.name))
        plugin = self._imported(manifest)
        with plugin_code():
            found = tool_of(plugin, spec.name)
        return self._placed(_one(manifest, "tool", spec.name, filter(None, (found,))), manifest)


def _one(manifest: PluginManifest, kind: str, name: str, found: Iterable[Found]) -> Found:
    for item in found:
        return item
    raise UsageError(f"plugin {manifest.dist} no longer has the {kind} {name!r}")
