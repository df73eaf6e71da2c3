"""Probing new and changed plugins for what they offer, each in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import cast

from finclaw_cli.core.checked import checked
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.interruption import shortened
from finclaw_cli.core.json_text import parse_value
from finclaw_cli.plugin_host.installed import InstalledPlugin
from finclaw_cli.plugin_host.isolated_process import run_isolated
from finclaw_cli.plugin_host.manifest import PluginManifest
from finclaw_cli.plugin_host.tool_names import check_declaration

# Importing takes processor time; waiting for a plugin that hangs does not.
AT_A_TIME = max(2, os.cpu_count() or 2)


def probed(plugins: Iterable[InstalledPlugin], timeout_s: float, circumstances: str) -> list[PluginManifest]:
    """What each plugin offers, or why it cannot be used, in their order.

    `circumstances` is kept with a failure, which may end with them.
    """
    pool = ThreadPoolExecutor(AT_A_TIME)
    try:
        return list(pool.map(partial(_look, timeout_s=timeout_s, circumstances=circumstances), plugins))
    finally:
        # A signal does not wait for a plugin that hangs; its process ends at its timeout.
        pool.shutdown(wait=False, cancel_futures=True)


def manifest_of(plugin: InstalledPlugin, report: Mapping[str, object]) -> PluginManifest:
    """The manifest of a plugin from what it offers."""
    about = {"key": plugin.key, "dist": plugin.dist, "version": plugin.version, "fingerprint": plugin.fingerprint}
    return checked(PluginManifest, {**report, **about})


def _look(plugin: InstalledPlugin, timeout_s: float, circumstances: str) -> PluginManifest:
    """What a plugin offers; its code may have written the report itself, so none of it is believed unchecked."""
    try:
        ended = run_isolated("finclaw_cli.plugin_host.probe", [plugin.entry_point.value], timeout_s, _folders(plugin))
        report: object = parse_value(ended.report) if ended.report else {"error": _silence(ended.code, timeout_s)}
        manifest = manifest_of(plugin, cast("dict[str, object]", report))
        for place, tool in enumerate(manifest.tools):
            check_declaration(tool, manifest.tools[:place])
    except OSError as error:
        manifest = manifest_of(plugin, {"error": f"it could not be looked at: {error}"})
    except (UsageError, ValueError, TypeError, RecursionError) as error:
        manifest = manifest_of(plugin, {"error": f"its report cannot be used: {shortened(str(error))}"})
    return replace(manifest, tried_in=circumstances if manifest.error is not None else "")


def _folders(plugin: InstalledPlugin) -> list[str]:
    return [str(plugin.location.parent)] if plugin.location is not None else []


def _silence(code: int | None, timeout_s: float) -> str:
    if code is None:
        return f"it was not imported within {timeout_s:g} s"
    return f"its process ended with code {code} while it was imported"
