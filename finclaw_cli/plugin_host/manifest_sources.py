"""Where the manifests of installed plugins come from: what is kept, the release, or a probe."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from finclaw_cli.core.record import record
from finclaw_cli.plugin_host.first_party import released_offers
from finclaw_cli.plugin_host.installed import InstalledPlugin, surroundings
from finclaw_cli.plugin_host.manifest import PluginManifest, keep_manifests, read_manifests


class _Here:
    """The circumstances of a look at a plugin."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s

    @cached_property
    def name(self) -> str:
        return f"{surroundings()} {self.timeout_s:g}"

    def still_true(self, manifest: PluginManifest, plugin: InstalledPlugin) -> bool:
        """Whether a manifest still holds; a failure may have ended with its circumstances."""
        return manifest.fingerprint == plugin.fingerprint and (manifest.error is None or manifest.tried_in == self.name)


@record(kw_only=True)
class ManifestSources:
    """Where manifests are kept, and which plugins may be probed where there is none."""

    cache: Path
    probe_timeout_s: float
    may_probe: Callable[[InstalledPlugin], bool]
    on_new: Callable[[list[str]], None]


def find_manifests(plugins: list[InstalledPlugin], sources: ManifestSources) -> list[PluginManifest]:
    """The manifests that are kept, else those of the release, else what a probe finds; of plugins that have one."""
    known = read_manifests(sources.cache)
    here = _Here(sources.probe_timeout_s)
    found = {p.key: known[p.key] for p in plugins if p.key in known and here.still_true(known[p.key], p)}
    missing = [plugin for plugin in plugins if plugin.key not in found]
    if missing:
        new = _learned(missing, sources, here.name)
        found |= {manifest.key: manifest for manifest in new}
        keep_manifests(sources.cache, new)
    return [found[plugin.key] for plugin in plugins if plugin.key in found]


def _learned(plugins: list[InstalledPlugin], sources: ManifestSources, circumstances: str) -> list[PluginManifest]:
    # Rarely needed, with all that starting a process takes.
    from finclaw_cli.plugin_host.probing import manifest_of, probed

    released = {p.key: manifest_of(p, offers) for p in plugins if (offers := released_offers(p)) is not None}
    unknown = [plugin for plugin in plugins if plugin.key not in released and sources.may_probe(plugin)]
    if unknown:
        sources.on_new([plugin.dist for plugin in unknown])
    return [*released.values(), *probed(unknown, sources.probe_timeout_s, circumstances)]
