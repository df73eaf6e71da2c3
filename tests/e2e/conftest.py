"""The command, ready to be run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.asking import in_own_home
from tests.e2e.by_agent import by_agent
from tests.e2e.certificates import Certificates, make_certificates
from tests.e2e.harness import Finclaw, install_module
from tests.e2e.trusted import Trusted


@pytest.fixture(scope="session")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plugins")
    install_module(folder, "finclaw-kit", (Path(__file__).parent / "kit_plugin.py").read_text())
    return folder


@pytest.fixture(scope="session")
def shared_home(tmp_path_factory: pytest.TempPathFactory, kit: Path) -> Path:
    """One home for tests that do not look at it: plugins are looked at once, and the kit is trusted."""
    home = tmp_path_factory.mktemp("home")
    trusting = Finclaw(home, kit, home)("plugins", "trust", "finclaw-kit")
    assert trusting.code == 0, trusting.stderr
    return home


@pytest.fixture(scope="session")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> Trusted:
    return Trusted(tmp_path_factory)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def finclaw(request: pytest.FixtureRequest, shared_home: Path, kit: Path, tmp_path: Path) -> Iterator[Finclaw]:
    command = Finclaw(shared_home, kit, tmp_path)
    yield by_agent(command) if request.node.get_closest_marker("by_agent") else command
    command.clean_up()


@pytest.fixture
def own(finclaw: Finclaw, tmp_path: Path) -> Iterator[Finclaw]:
    """The command with a home of its own, for tests that change what is in it."""
    command = in_own_home(finclaw, tmp_path)
    yield command
    command.clean_up()
