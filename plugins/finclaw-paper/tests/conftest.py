from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alpaca_server import KEY, SECRET, Alpaca, alpaca_server
from broker_calls import Calls, fill_market
from hypothesis import HealthCheck, settings

from finclaw_cli.sdk import Extension
from finclaw_market.packaged import forget

# No deadlines: how long an example takes says something of the machine, nothing of the code.
settings.register_profile("finclaw", deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("finclaw")


@pytest.fixture(autouse=True)
def packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No packaged prices, whatever this environment has installed."""
    points: list[Extension] = []
    monkeypatch.setattr("finclaw_market.packaged.extensions", lambda group: points)
    forget()
    yield
    forget()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("FINCLAW_HOME", str(folder))
    return folder


@pytest.fixture
def market(home: Path, tmp_path: Path) -> Callable[..., None]:
    def load(rows: str, symbol: str = "ACME", currency: str | None = "USD", *, replaces: bool = False) -> None:
        fill_market(home, tmp_path, rows, symbol, currency, replaces=replaces)

    return load


@pytest.fixture
def calls(home: Path, market: Callable[..., None]) -> Calls:
    """A broker over ACME, which closed at 10 on Tuesday 2024-01-02 and at 12.50 the day after."""
    market("2024-01-02,10\n2024-01-03,12.50")
    return Calls(home)


@pytest.fixture
def broker() -> Iterator[Alpaca]:
    with alpaca_server() as running:
        yield running


@pytest.fixture
def at(home: Path, broker: Alpaca, market: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Calls:
    monkeypatch.setenv("APCA_API_KEY_ID", KEY)
    monkeypatch.setenv("APCA_API_SECRET_KEY", SECRET)
    # Nothing may go through a proxy of the environment.
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    market("2024-01-03,12.50")
    calls = Calls(home, broker="alpaca", base_url=broker.url, timeout_s=1)
    calls.as_of = None  # type: ignore[assignment]
    return calls
