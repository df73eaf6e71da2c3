"""A server for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.agent.scripts import script
from tests.e2e.conftest import kit, shared_home
from tests.e2e.harness import environment
from tests.e2e.in_process import surroundings
from tests.serve.clients import Served, serving

__all__ = ["kit", "script", "shared_home"]


@pytest.fixture
def without_plugins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home in which no plugin is looked at; the working directory is empty."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text("[plugins]\nonly = []\n")
    monkeypatch.chdir(tmp_path)
    return home


@pytest.fixture
async def served(without_plugins: Path) -> AsyncIterator[Served]:
    async with serving() as server:
        yield server


@pytest.fixture
async def with_tools(shared_home: Path, kit: Path, tmp_path: Path) -> AsyncIterator[Served]:
    """A server with the plugin of the tests."""
    with surroundings(environment(shared_home, plugins=kit), tmp_path):
        async with serving() as server:
            yield server
