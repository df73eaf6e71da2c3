"""Both transports for every test that goes through a socket."""

from __future__ import annotations

from functools import partial

import pytest

from finclaw_cli.providers.config import ProviderConfig, TransportName
from tests.wire.transports import TRANSPORTS, Configure


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> TransportName:
    name: TransportName = request.param
    return name


@pytest.fixture
def config(transport: TransportName) -> Configure:
    """Makes the config of a provider, for one transport after the other."""
    return partial(ProviderConfig, transport=transport)
