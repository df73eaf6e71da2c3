"""Running the check of a plugin in a process of its own, and collecting its problems."""

from __future__ import annotations

import difflib
import json
import tomllib
from pathlib import Path
from typing import Any

from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.plugin_host.conformance.problem import Problem, error
from finclaw_cli.plugin_host.contract import PLUGIN
from finclaw_cli.plugin_host.installed import GROUP, installed_plugins
from finclaw_cli.plugin_host.isolated_process import ProcessEnd, run_isolated


@record(kw_only=True)
class Target:
    """A plugin to be imported: `module` or `module:attribute`, and the folders where Python finds it."""

    module: str
    folders: tuple[str, ...] = ()


def find_targets(named: str) -> list[Target]:
    """The plugins of an installed distribution, else of a file, a package's folder or a project's folder.

    Raises:
        UsageError: it is none of these, or a project without an entry point.
    """
    plugins = installed_plugins()
    meant = [plugin for plugin in plugins if dist_name(plugin.dist) == dist_name(named)]
    if meant:
        return [Target(module=plugin.entry_point.value) for plugin in meant]
    path = Path(named).absolute()
    if path.is_file() and path.suffix == ".py":
        return [Target(module=path.stem, folders=(str(path.parent),))]
    if (path / "pyproject.toml").is_file():
        return _project(path)
    if (path / "__init__.py").is_file():
        return [Target(module=path.name, folders=(str(path.parent),))]
    near = difflib.get_close_matches(named, [plugin.dist for plugin in plugins], n=3)
    raise UsageError(
        f"no plugin is called {named!r}, and it is no .py file, package or project"
        + (f"; did you mean {', '.join(near)}?" if near else ""),
        hint="`finclaw plugins list` shows what is installed.",
        code="unknown_plugin",
    )


def check_apart(target: Target, timeout_s: float) -> list[Problem]:
    """Check one plugin; its hang, exit or crash is reported as a problem."""
    ended = run_isolated("finclaw_cli.plugin_host.check", [target.module, *target.folders], timeout_s, target.folders)
    found: list[Problem] = []
    step, done = "starting", False
    for line in ended.report.splitlines():
        reported = _parsed(line)
        step = reported.get("at", step)
        done = done or "done" in reported
        if "problem" in reported:
            found.append(Problem(**reported["problem"]))
    return found if done else [*found, _cut_short(ended, step, timeout_s)]


def _parsed(line: str) -> dict[str, Any]:
    try:
        reported: dict[str, Any] = json.loads(line)
    except ValueError:
        return {}  # the last line of a process that died while it wrote
    return reported


def _cut_short(ended: ProcessEnd, step: str, timeout_s: float) -> Problem:
    if ended.code is None:
        return error(PLUGIN, "hangs", f"{step}: not done within {timeout_s:g} s")
    how = f"was killed by signal {-ended.code}" if ended.code < 0 else f"ended with code {ended.code}"
    return error(PLUGIN, "process_ended", f"{step}: its process {how}")


def _project(path: Path) -> list[Target]:
    try:
        content = tomllib.loads((path / "pyproject.toml").read_text("utf-8"))
        declared: dict[str, str] = content["project"]["entry-points"][GROUP]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UsageError(
            f"{path / 'pyproject.toml'} has no table [project.entry-points.{GROUP}]", code="unknown_plugin"
        ) from problem
    folders = (str(path / "src"), str(path))
    return [Target(module=module, folders=folders) for module in declared.values()]
