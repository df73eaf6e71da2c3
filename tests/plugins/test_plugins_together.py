"""Where one plugin uses another's data."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.testing.tools import run_tool

BOUGHT = "Date,Side,Symbol,Quantity,Price,Fee,Amount,Currency\n2024-01-03,Buy,ACME,10,100,0,-1000,USD\n"
SPLIT = "2024-01-04,Split,ACME,10,,,,USD\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder whose price store records a split of ten for one of ACME on 2024-01-04."""
    from finclaw_market.importer import ImportOptions, import_files
    from finclaw_market.staging import Facts

    prices = tmp_path / "prices.csv"
    prices.write_text("Date,Close,Stock Splits\n2024-01-03,100,1\n2024-01-04,10,10\n2024-01-05,11,1\n")
    options = ImportOptions(symbol="ACME", facts=Facts(currency="USD"), adjustment="none")
    assert import_files([prices], tmp_path / "home", options).imported
    return tmp_path / "home"


def holdings(home: Path, rows: str, as_of: date, **arguments: Any) -> dict[str, Any]:
    from finclaw_ledger.csvreader import Given
    from finclaw_ledger.holdings import holdings as tool
    from finclaw_ledger.importer import Plan, import_raw
    from finclaw_ledger.textfile import read_raw

    path = home.parent / "trades.csv"
    path.write_text(rows)
    import_raw(read_raw(path), home, Plan(given=Given(account="B"), write=True))
    result = run_tool(tool, arguments, home=home, as_of=as_of)
    assert not result.is_error, result.content
    found: dict[str, Any] = json.loads(result.content)
    return found


def test_holdings_from_before_a_split_that_the_price_store_records_have_no_quantity(home: Path) -> None:
    later = BOUGHT + "2024-01-05,Buy,ACME,1,11,0,-11,USD\n"
    found = holdings(home, later, date(2024, 1, 5))
    assert (found["data"]["holdings"][0]["quantity"], found["data"]["quantities"]) == (None, {})
    assert "ACME was split on 2024-01-04, and an account that held it has no row of that" in " ".join(found["warnings"])


def test_a_split_after_the_last_day_of_the_books_leaves_open_what_is_held_now(home: Path) -> None:
    found = holdings(home, BOUGHT, date(2024, 1, 5))
    assert (found["data"]["date"], found["data"]["quantities"]) == ("2024-01-03", {})
    earlier = holdings(home, BOUGHT, date(2024, 1, 5), date="2024-01-03")
    assert earlier["data"]["quantities"] == {"ACME": "10"}


def test_holdings_as_of_before_the_split_are_counted(home: Path) -> None:
    assert holdings(home, BOUGHT, date(2024, 1, 3))["data"]["quantities"] == {"ACME": "10"}


def test_holdings_with_the_split_in_the_books_are_counted(home: Path) -> None:
    assert holdings(home, BOUGHT + SPLIT, date(2024, 1, 5))["data"]["quantities"] == {"ACME": "100"}
