from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from broker_calls import AS_OF, Calls, with_settings

from finclaw_cli.sdk import Reconciled, ToolError
from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.tools import tool_context
from finclaw_paper import plugin
from finclaw_paper.ledger import writing
from finclaw_paper.trading import place_order, what_became_of


def test_keeps_the_contract() -> None:
    assert [problem for problem in check_plugin(plugin) if problem.severity != "note"] == []


async def asked(calls: Calls, key: str) -> Reconciled:
    context = tool_context(home=calls.home, as_of=AS_OF, settings=calls.settings)
    return await what_became_of(key, context)


async def placed(calls: Calls, key: str) -> Any:
    definition = with_settings(place_order, calls.settings)
    context = tool_context(home=calls.home, as_of=AS_OF, idempotency_key=key)
    return await definition.handler({"symbol": "ACME", "side": "buy", "qty": "1"}, context)


async def test_the_hook_says_done_with_the_order(calls: Calls) -> None:
    result = await placed(calls, "k" * 32)
    found = await asked(calls, "k" * 32)
    assert found.state == "done"
    assert found.content.data == result.data | {"duplicate": True}  # type: ignore[attr-defined]


async def test_the_hook_says_not_found(calls: Calls) -> None:
    assert (await asked(calls, "k" * 32)).state == "not_found"
    assert not (calls.home / "paper.db").exists()
    await placed(calls, "k" * 32)
    assert (await asked(calls, "l" * 32)).state == "not_found"


async def test_the_hook_says_unknown_where_the_books_cannot_be_read(calls: Calls) -> None:
    await placed(calls, "k" * 32)
    (calls.home / "paper.db").write_bytes(b"not a database at all " * 100)
    found = await asked(calls, "k" * 32)
    assert found.state == "unknown"
    assert "paper.db" in str(found.content)
    calls.settings["fee"] = 0.5
    assert (await asked(calls, "k" * 32)).state == "unknown"


def test_reconcile_says_what_became_of_an_order(calls: Calls) -> None:
    own = calls.buy()["client_order_id"]
    found = calls.data("reconcile", client_order_id=own)
    assert (found["outcome"], found["order"]["status"], found["books"]["consistent"]) == ("found", "filled", True)
    missing = calls.data("reconcile", client_order_id="fc-none")
    assert (missing["outcome"], missing["order"]) == ("not_found", None)


def test_reconcile_finds_books_that_were_tampered_with(calls: Calls) -> None:
    calls.buy()
    calls.sql("UPDATE account SET cash = '99999'")
    calls.sql("UPDATE positions SET qty = '7'")
    books = calls.data("reconcile")["books"]
    assert not books["consistent"]
    assert books["differences"] == ["ACME: kept 7, by fills 1", "cash: kept 99999, by fills 99987.5"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE account SET cash = '-1'",
        "UPDATE account SET cash = x'31'",
        "UPDATE account SET cash = 'NaN'",
        "UPDATE account SET cash = ''",
        "UPDATE orders SET qty = 'x'",
        "UPDATE orders SET status = 'lost'",
        "UPDATE orders SET notional = '1'",
        "UPDATE fills SET price = '1e5'",
        "UPDATE positions SET qty = '--'",
        "INSERT INTO fills SELECT 99, client_order_id, symbol, side, qty, price, fee, session, day, filled_at, source FROM fills",
    ],
)
def test_the_file_itself_refuses_nonsense(calls: Calls, statement: str) -> None:
    calls.buy()
    with pytest.raises(sqlite3.IntegrityError):
        calls.sql(statement)


def test_a_call_that_was_given_up_writes_nothing(calls: Calls) -> None:
    calls.buy()
    given_up = Event()

    def give_up() -> None:
        with writing(calls.home, given_up) as connection:
            connection.execute("UPDATE account SET cash = '0'")
            given_up.set()

    with pytest.raises(ToolError, match="CANCELLED"):
        give_up()
    assert calls.data("account")["cash"] == "99987.5"


async def test_an_order_whose_call_ran_out_of_time_is_not_placed_afterwards(calls: Calls) -> None:
    calls.buy()
    definition = with_settings(place_order, {})
    context = tool_context(home=calls.home, as_of=AS_OF, idempotency_key="k" * 32)
    with closing(sqlite3.connect(calls.home / "paper.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        call = asyncio.create_task(definition.handler({"symbol": "ACME", "side": "buy", "qty": "7"}, context))  # type: ignore[arg-type]
        _, waiting = await asyncio.wait([call], timeout=0.5)
        assert waiting
        call.cancel()
        await asyncio.wait([call])
        other.execute("COMMIT")
    await asyncio.get_running_loop().shutdown_default_executor()
    assert calls.sql("SELECT count(*) FROM orders") == [(1,)]


def test_without_the_price_store_the_books_still_open(calls: Calls) -> None:
    calls.buy("2")
    calls.buy("1", type="limit", limit_price="9")
    (calls.home / "market.db").unlink()
    (calls.home / "market.db").mkdir()
    account = calls("account")
    assert (account["data"]["cash"], account["data"]["equity"]) == ("99975", None)
    assert account["warnings"][0].startswith("open orders could not be tried again: NOT_CONFIGURED")
    assert account["warnings"][1].startswith("ACME has no value: NOT_CONFIGURED")
    position = calls.data("positions")["positions"][0]
    assert (position["qty"], position["value"], position["gain"]) == ("2", None, None)


def test_foreign_and_newer_files_are_left_alone(calls: Calls, tmp_path: Path) -> None:
    path = calls.home / "paper.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    assert "is not a paper ledger" in calls.error("place", symbol="ACME", side="buy", qty="1")
    path.unlink()
    calls.buy()
    calls.sql("PRAGMA user_version = 2")
    assert "newer finclaw-paper" in calls.error("account")
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere.db")
    assert "is a link, not a paper ledger" in calls.error("place", symbol="ACME", side="buy", qty="1")
    assert not (tmp_path / "elsewhere.db").exists()


async def test_another_order_under_the_same_key_is_refused(calls: Calls) -> None:
    await placed(calls, "k" * 32)
    definition = with_settings(place_order, {})
    context = replace(tool_context(home=calls.home, as_of=AS_OF), idempotency_key="k" * 32)
    with pytest.raises(ToolError, match="is already the id of another order"):
        await definition.handler({"symbol": "ACME", "side": "buy", "qty": "2"}, context)
