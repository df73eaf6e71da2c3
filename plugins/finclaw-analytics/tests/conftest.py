from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from answers import Answer
from hypothesis import HealthCheck, settings

from finclaw_analytics.plugin import finclaw_tools
from finclaw_cli.sdk import Extension
from finclaw_cli.testing.tools import run_tool, the_tool
from finclaw_market.importer import ImportOptions, import_files
from finclaw_market.packaged import forget
from finclaw_market.staging import Facts

# No deadlines: how long an example takes says something of the machine, nothing of the code.
settings.register_profile("finclaw", deadline=None, max_examples=50, suppress_health_check=list(HealthCheck))
settings.load_profile("finclaw")

TOOLS = {definition.name: definition for definition in map(the_tool, finclaw_tools())}


@pytest.fixture(autouse=True)
def packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No packaged prices, whatever this environment has installed."""
    points: list[Extension] = []
    monkeypatch.setattr("finclaw_market.packaged.extensions", lambda group: points)
    forget()
    yield
    forget()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("FINCLAW_HOME", str(folder))
    return folder


@pytest.fixture
def ask() -> Callable[..., Answer]:
    """Call a tool as a model would: by name, with JSON."""

    def call(tool: str, context: dict[str, Any] | None = None, /, **given: Any) -> Answer:
        return Answer.of(run_tool(TOOLS[tool], given, **(context or {})))

    return call


@pytest.fixture
def store(home: Path, tmp_path: Path) -> Callable[..., None]:
    """Import rows into the price store: date and close, or date, high, low and close."""

    def fill(symbol: str, rows: list[list[str]], *, currency: str = "USD", adjustment: str = "total") -> None:
        path = tmp_path / f"{symbol}.csv"
        head = ["Date", "High", "Low", "Close"] if len(rows[0]) == 4 else ["Date", "Close"]
        with path.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([head, *rows])
        facts = Facts(currency=currency, tz="America/New_York")
        options = ImportOptions(symbol=symbol, facts=facts, adjustment=adjustment)  # type: ignore[arg-type]
        report = import_files([path], home, options)
        assert not report.rejected

    return fill
