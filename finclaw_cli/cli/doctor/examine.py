"""The checks of `finclaw doctor`."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from finclaw_cli import __version__
from finclaw_cli.app.inventory import take_inventory
from finclaw_cli.cli.tools.views import overruled
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.record import record
from finclaw_cli.listings.tools import state_of
from finclaw_cli.output.console import echo, echo_prose
from finclaw_cli.plugin_host.confinement import is_confined
from finclaw_cli.plugin_host.installed import damaged, hidden_plugins, installed_version
from finclaw_cli.providers.registry import BUILTIN
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.paths import home
from finclaw_cli.settings.policy_files import load_policy
from finclaw_cli.settings.secrets import find_key
from finclaw_cli.tools.registry import ToolRegistry

LIBRARIES = ("anthropic", "openai", "httpx2", "pydantic", "typer")
MARKS = {"ok": "✓", "note": "·", "wrong": "✗"}


@record(kw_only=True)
class Finding:
    """The result of one check."""

    what: str
    state: Literal["ok", "note", "wrong"]
    text: str
    details: str | None = None


def examine() -> list[Finding]:
    """Run all checks."""
    return [*_versions(), *_settings(), *_policy(), _folder(home()), *_keys(), *_sandbox(), *_plugins()]


def print_findings(findings: list[Finding]) -> None:
    """Print one line a finding, and its details where something is wrong."""
    for finding in findings:
        echo_prose(f"{MARKS[finding.state]} {finding.what}: {finding.text}")
        if finding.details:
            echo("    " + finding.details.rstrip().replace("\n", "\n    "))


def _versions() -> Iterator[Finding]:
    python = f"{platform.python_version()} on {platform.system()}"
    yield Finding(what="finclaw", state="ok", text=f"{__version__}, Python {python}")
    for name in LIBRARIES:
        if (version := installed_version(name)) is not None:
            yield Finding(what=name, state="ok", text=version)
        else:
            yield Finding(what=name, state="wrong", text=f"not installed: pip install {name}")


def _settings() -> Iterator[Finding]:
    try:
        loaded = load_settings()
    except FinclawError as error:
        yield Finding(what="settings", state="wrong", text=error.message)
        return
    places = sorted({origin for origin in loaded.origins.values() if origin != "default"})
    yield Finding(what="settings", state="ok", text=f"from {', '.join(places)}" if places else "all at their defaults")
    for warning in loaded.warnings:
        yield Finding(what="settings", state="note", text=warning.message)


def _policy() -> Iterator[Finding]:
    try:
        policy = load_policy(load_settings().settings.policy)
    except FinclawError as error:
        yield Finding(what="policy", state="wrong", text=error.message)
        return
    files = f", from {', '.join(policy.files)}" if policy.files else ""
    yield Finding(what="policy", state="ok", text=f"{len(policy.rules)} rules of your own{files}")
    for warning in policy.warnings:
        yield Finding(what="policy", state="note", text=warning)


def _folder(folder: Path) -> Finding:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        return Finding(what="data folder", state="wrong", text=f"{folder} cannot be written; set FINCLAW_HOME")
    return Finding(what="data folder", state="ok", text=f"{folder}{'' if folder.exists() else ' (not made yet)'}")


def _keys() -> Iterator[Finding]:
    for spec in BUILTIN:
        if spec.default_model and spec.key_variable:
            found = find_key(spec.key_variable) is not None
            yield Finding(what=spec.key_variable, state="ok" if found else "note", text="set" if found else "not set")


def _sandbox() -> Iterator[Finding]:
    if is_confined():
        yield Finding(what="sandbox", state="ok", text="new plugins are probed in a sandbox (bubblewrap)")
    else:
        text = "bubblewrap cannot be used: a plugin that is probed can read your files and reach the network"
        yield Finding(what="sandbox", state="note", text=text)


def _plugins() -> Iterator[Finding]:
    try:
        settings = load_settings().settings
    except FinclawError:
        return  # reported as a finding of its own
    try:
        found = take_inventory(settings)
    except FinclawError as error:
        yield Finding(what="plugins", state="wrong", text=error.message)
        return
    for manifest in found.plugins.manifests:
        if manifest.error is not None:
            yield Finding(what=manifest.dist, state="wrong", text=manifest.error, details=manifest.traceback)
            continue
        standing = found.plugins.standing(manifest)
        yield Finding(
            what=manifest.dist, state="ok", text=f"{manifest.version}, {len(manifest.tools)} tools, {standing}"
        )
        for problem in manifest.problems:
            yield Finding(what=manifest.dist, state="wrong", text=problem)
    for sentence in (*hidden_plugins(), *(fault.message for fault in damaged().values())):
        yield Finding(what="plugins", state="wrong", text=sentence)
    yield from _tools(found.tools)


def _tools(tools: ToolRegistry) -> Iterator[Finding]:
    for entry in tools.entries:
        state, how = state_of(entry.spec)
        if state != "ready":
            yield Finding(what=f"tool {entry.spec.name}", state="note", text=f"{state}: {how}")
    for name, origins in tools.clashes.items():
        yield Finding(
            what=f"tool {name}", state="wrong", text=f"offered by {', '.join(origins)}: set tool.prefer.{name}"
        )
    for entry, owner in tools.overruled:
        yield Finding(what=f"tool {entry.spec.name}", state="note", text=overruled(entry, owner))
