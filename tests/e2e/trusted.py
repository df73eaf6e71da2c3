"""Plugins of tests, each trusted once for all tests that change nothing of it."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, install_module


class Trusted:
    """What trusting a plugin leaves in a home, made when it is first wanted: its import takes long, in a sandbox."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._made: dict[tuple[str, str], Finclaw] = {}

    def __call__(self, own: Finclaw, dist: str, source: str) -> Finclaw:
        """The command with this plugin alone, trusted in the command's own home."""
        made = self._made.get((dist, source)) or self._make(dist, source)
        shutil.copy(made.home / "trust.json", own.home)
        shutil.copytree(made.home / "cache", own.home / "cache", dirs_exist_ok=True)
        return replace(own, plugins=made.plugins)

    def seen(self, own: Finclaw, dist: str, source: str) -> Finclaw:
        """The command with this plugin alone, which is known in the command's home, and not trusted."""
        made = self._made.get((dist, source)) or self._make(dist, source)
        shutil.copytree(made.home / "cache", own.home / "cache", dirs_exist_ok=True)
        return replace(own, plugins=made.plugins)

    def beside(self, own: Finclaw, folder: Path, dist: str, source: str) -> Finclaw:
        """The same with what is installed in a folder, where tests may change it."""
        folder.mkdir()
        plugins = self(own, dist, source).plugins
        path = os.pathsep.join([own.env()["PYTHONPATH"], str(plugins), str(folder)])
        return replace(own, plugins=folder, variables={**own.variables, "PYTHONPATH": path})

    def _make(self, dist: str, source: str) -> Finclaw:
        home, plugins = (self._folders.mktemp(name) for name in ("home", "plugins"))
        install_module(plugins, dist, source)
        command = Finclaw(home, plugins, home, variables={"FINCLAW_PLUGINS": dist})
        trusting = command("plugins", "trust", dist)
        assert trusting.code == 0, trusting.stderr
        return self._made.setdefault((dist, source), command)


def module_source(name: str) -> str:
    """The source of a plugin that is a module of the tests, such as `e2e/kit_plugin`."""
    return (Path(__file__).parents[1] / f"{name}.py").read_text("utf-8")
