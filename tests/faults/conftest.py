"""The same command as in the end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import finclaw, kit, shared_home
from tests.faults.broker import Broker
from tests.faults.trials import Bench

__all__ = ["finclaw", "kit", "shared_home"]


@pytest.fixture(scope="session")
def broking(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A home that trusts the tools that order at the broker on loopback."""
    return Bench.trusting(tmp_path_factory.mktemp("broking"), plugin="broking")


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    broker = Broker()
    yield broker
    broker.close()
