from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from answers import Answer
from hypothesis import HealthCheck, settings

from finclaw_cli.sdk import Extension
from finclaw_cli.testing.tools import run_tool, the_tool
from finclaw_ledger.csvreader import Given
from finclaw_ledger.importer import Plan, import_raw
from finclaw_ledger.textfile import raw_file
from finclaw_market.importer import ImportOptions, import_files
from finclaw_market.packaged import forget
from finclaw_market.staging import Facts
from finclaw_portfolio.plugin import finclaw_tools

# No deadlines: the time of an example depends on the machine.
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
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def ask(workspace: Path) -> Callable[..., Answer]:
    """Call a tool as a model would: by name, with JSON."""

    def call(tool: str, context: dict[str, Any] | None = None, /, **given: Any) -> Answer:
        return Answer.of(run_tool(TOOLS[tool], given, workspace=workspace, **(context or {})))

    return call


@pytest.fixture
def store(home: Path, tmp_path: Path) -> Callable[..., None]:
    """Import rows into the price store: date and close, or these and a split."""

    def fill(symbol: str, rows: Sequence[Sequence[str]], *, currency: str = "USD", adjustment: str = "none") -> None:
        path = tmp_path / f"{symbol}.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([["Date", "Close", "Stock Splits"][: len(rows[0])], *rows])
        facts = Facts(currency=currency, tz="America/New_York")
        options = ImportOptions(symbol=symbol, facts=facts, adjustment=adjustment)  # type: ignore[arg-type]
        report = import_files([path], home, options)
        assert not report.rejected

    return fill


@pytest.fixture
def book(home: Path) -> Callable[..., None]:
    """Import a broker's CSV into the books."""

    def bring_in(text: str, account: str = "Depot", name: str = "trades.csv", currency: str | None = "USD") -> None:
        given = Given(account=account, currency=currency)
        report = import_raw(raw_file(name, text.encode()), home, Plan(given=given, write=True))
        assert report.wrote, report.rejected

    return bring_in
