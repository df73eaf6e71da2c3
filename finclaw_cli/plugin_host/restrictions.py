"""What of trusted plugins restricts runs, their policy rules and guards: no run begins without it."""

from __future__ import annotations

from contextlib import suppress

from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.plugin_host.installed import damaged, hidden_plugins, installed_version
from finclaw_cli.plugin_host.manager import PluginManager
from finclaw_cli.plugin_host.trust import Restriction


def check_restrictions(plugins: PluginManager) -> None:
    """Check that the rules and guards of all plugins that the user has trusted, and wants, are there.

    Which plugins have some is stored with the trust in them: a plugin that is damaged cannot name them any more.

    Raises:
        UsageError: some are not there.
    """
    record_restrictions(plugins)
    for manifest in plugins.manifests:
        if manifest.restrictions and plugins.standing(manifest) == "changed":
            raise _lost(dist_name(manifest.dist), manifest.restrictions, plugins)
    for dist, lost in _lost_restrictions(plugins).items():
        if _is_installed(dist):
            raise _lost(dist, lost, plugins)


def uninstalled_restrictions(plugins: PluginManager) -> list[str]:
    """A warning for each plugin that the user has trusted, whose rules or guards do not apply: it is not installed."""
    return [
        f"the {' and '.join(lost)} of {dist} do not apply: it is not installed (install it again, or finclaw plugins "
        f"revoke {dist})"
        for dist, lost in _lost_restrictions(plugins).items()
        if not _is_installed(dist)
    ]


def record_restrictions(plugins: PluginManager) -> None:
    """Store which of the plugins that the user has trusted have rules and guards; for as long as they are trusted."""
    for manifest in plugins.manifests:
        if manifest.restrictions and plugins.standing(manifest) == "trusted":
            stored = plugins.trust.restrictions().get(dist_name(manifest.dist))
            if stored != manifest.restrictions:
                with suppress(UsageError):  # a home that cannot be written does not stop a run
                    plugins.trust.record_restrictions(manifest.dist, manifest.restrictions)


def _lost_restrictions(plugins: PluginManager) -> dict[str, tuple[Restriction, ...]]:
    """What was there when it was trusted, and is not among what is trusted now, by normalised names."""
    if plugins.choice.is_empty:
        return {}
    there = {dist_name(each.dist): each.restrictions for each in plugins.manifests if plugins.trusts(each)}
    return {
        dist: lost
        for dist, known in plugins.trust.restrictions().items()
        if plugins.choice.admits_names(dist)
        and (lost := tuple(each for each in known if each not in there.get(dist, ())))
    }


def _is_installed(dist: str) -> bool:
    return installed_version(dist) is not None or dist in damaged()


def _lost(dist: str, lost: tuple[Restriction, ...], plugins: PluginManager) -> UsageError:
    manifest = next((each for each in plugins.manifests if dist_name(each.dist) == dist), None)
    if manifest is not None and manifest.error is None and plugins.standing(manifest) == "changed":
        code, reason = "plugin_changed", "it was changed since you trusted it"
    else:
        code, reason = "plugin_failed", (manifest.error if manifest else None) or _why_left_out(dist)
    return UsageError(
        f"the {' and '.join(lost)} of {dist}, which you trusted, cannot apply: {reason}",
        hint=f"Install it again, or trust it as it is now: finclaw plugins trust {dist}; or do without: "
        f"finclaw plugins revoke {dist}.",
        code=code,
    )


def _why_left_out(dist: str) -> str:
    if fault := damaged().get(dist):
        return fault.message
    hiding = [line for line in hidden_plugins() if dist_name(line.partition(" ")[0]) == dist]
    return hiding[0] if hiding else "it no longer has the entry point of a finclaw plugin"
