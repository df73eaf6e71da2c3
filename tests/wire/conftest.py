"""Both transports for every test that goes through a socket."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from finclaw_cli.providers.config import ProviderConfig, TransportName
from tests.wire.transports import TRANSPORTS, Configure, Way


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> TransportName:
    name: TransportName = request.param
    return name


@pytest.fixture
def way() -> Way:
    """Whether the server is reached by itself; a module of hostile servers asks for both ways."""
    return "straight"


@pytest.fixture
def config(transport: TransportName, way: Way, monkeypatch: pytest.MonkeyPatch) -> Configure:
    """Makes the config of a provider, for one transport after the other."""
    if way == "straight":
        return partial(ProviderConfig, transport=transport)

    def behind_a_proxy(*, base_url: str, **options: Any) -> ProviderConfig:
        """The server itself is the proxy: it is asked for an address that has no other."""
        monkeypatch.setenv("HTTP_PROXY", base_url)
        return ProviderConfig(transport=transport, base_url="http://api.example.test", **options)

    return behind_a_proxy
