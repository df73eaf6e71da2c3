"""Files of positions that look like something else, and positions that are of a later day."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer

Ask = Callable[..., Answer]
DAYS = ("2024-06-26", "2024-06-27", "2024-06-28")


@pytest.fixture(autouse=True)
def prices(store: Callable[..., None]) -> None:
    store("AAA", [[day, "10"] for day in DAYS])
    store("BBB", [[day, "40"] for day in DAYS])


def test_a_quoted_cell_does_not_make_another_delimiter_of_the_comma(ask: Ask) -> None:
    answer = ask("portfolio", table='symbol,quantity,name\nAAA,2,"Alpha, ""A"" Inc"\n"BBB",1,Beta\n')
    assert answer.data["value"] == "60.00"


def test_a_file_of_too_many_rows_is_refused_for_that(ask: Ask) -> None:
    table = "symbol,quantity\n" + "".join(f"S{number},1\n" for number in range(20_000))
    assert "20000 positions are not between 1 and 500" in ask("portfolio", table=table).text


def test_a_quotation_mark_that_is_not_closed_is_named_with_its_line(ask: Ask) -> None:
    answer = ask("portfolio", table='symbol,quantity\nAAA,2\n"BBB,1\n')
    assert "line 3: unexpected end of data (an open quotation mark?)" in answer.text


def test_a_quantity_without_a_symbol_is_refused_with_its_line(ask: Ask) -> None:
    answer = ask("portfolio", table="symbol,quantity\n,10\nAAA,7\n,\n")
    assert "line 2: '' is no symbol" in answer.text


def test_a_file_that_is_no_table_is_refused_as_such(ask: Ask, workspace: Path) -> None:
    (workspace / "holdings.csv").write_bytes(bytes(range(256)) * 20)
    assert "no header with a symbol and a quantity" in ask("portfolio", path="holdings.csv").text


def test_a_number_that_can_be_read_in_two_ways_is_refused_with_what_decides(ask: Ask) -> None:
    undecided = ask("portfolio", table="symbol;quantity\nAAA;1.234\n")
    assert "write one number with both marks" in undecided.text
    assert "--decimal" not in undecided.text
    decided = ask("portfolio", table="symbol;quantity;cost\nAAA;1.234;1.234,00\n")
    assert decided.data["positions"][0]["quantity"] == "1234"


def test_what_was_bought_after_the_day_is_left_out_and_named(ask: Ask) -> None:
    table = "symbol,quantity,cost,date\nAAA,2,20,2024-01-02\nBBB,1,40,2024-06-28\n"
    answer = ask("portfolio", table=table, as_of="2024-06-27")
    assert (answer.data["value"], answer.data["cost"]) == ("20.00", "20.00")
    assert "1 positions that were bought after 2024-06-27 are left out: BBB of 2024-06-28" in answer.warnings


def test_positions_that_were_all_bought_later_are_refused(ask: Ask) -> None:
    answer = ask("portfolio", table="symbol,quantity,date\nAAA,2,2024-06-28\n", as_of="2024-06-27")
    assert "all positions were bought after 2024-06-27: AAA of 2024-06-28" in answer.text


@pytest.mark.parametrize("tool", ["portfolio", "realised_gains", "portfolio_return"])
def test_a_price_store_that_cannot_be_read_is_an_error_and_not_a_missing_price(
    ask: Ask, home: Path, workspace: Path, tool: str
) -> None:
    for store in home.glob("market.db*"):
        store.unlink()
    (home / "market.db").write_bytes(b"not a database at all, but long enough" * 30)
    rows = (
        "Date,Type,Symbol,Quantity,Price,Amount,Currency\n2024-06-26,buy,AAA,2,10,,USD\n2024-06-27,sell,AAA,1,10,,USD\n"
    )
    (workspace / "trades.csv").write_text(rows, encoding="utf-8")
    given = {"positions": {"AAA": "1"}} if tool == "portfolio" else {"path": "trades.csv"}
    answer = ask(tool, currency="USD", **given)
    assert answer.code == "NOT_CONFIGURED"
    assert "market.db" in answer.text
