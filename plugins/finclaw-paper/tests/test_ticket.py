from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from broker_calls import Calls

from finclaw_cli.testing.tools import the_tool, tool_context
from finclaw_paper.trading import place_order


def settled(text: str) -> str:
    """The ticket without what differs from run to run."""
    return re.sub(r"ACME-\d+\.csv", "prices.csv", re.sub(r"fc-[0-9a-f]{32}", "fc-KEY", text))


async def test_the_ticket_says_all_that_is_to_be_known(calls: Calls) -> None:
    calls.settings = {"fee": "0.5", "max_order": "200", "max_day": "150", "symbols": ["ACME"]}
    assert (
        settled(await calls.ticket(symbol="acme", side="buy", qty="10"))
        == """\
ORDER TICKET    local paper account, no real money
symbol          ACME  Acme Corp
side            buy
quantity        10 shares
type            market, good for the next session
last close      12.5 USD per share, 2024-01-03
source          prices.csv (file)
est. cost       125 USD
fee             0.5 USD
cash after      99874.5 USD (now 100000)
position after  10 shares (now 0)
checks
  ok     currency   ACME trades in USD, the account is in USD
  ok     symbols    ACME; allowed: ACME
  ok     sides      buy; allowed: buy, sell
  ok     size       10 shares
  ok     max_order  125 of 200 USD allowed
  ok     max_day    125 of 150 USD allowed
  ok     cash       needs 125.5 of 100000 USD
  ok     repeat     no identical order in the last 60 s"""
    )


def test_a_repetition_stands_out(calls: Calls) -> None:
    import asyncio

    calls.buy("10")
    past = datetime.now(UTC) - timedelta(seconds=12.5)
    calls.sql("UPDATE orders SET submitted_at = ?", past.isoformat(timespec="microseconds"))
    text = settled(asyncio.run(calls.ticket(symbol="ACME", side="buy", qty="10")))
    text = re.sub(r"1[2-9] s ago", "12 s ago", text)
    assert "\nWARNING: the same order was placed 12 s ago (fc-KEY)" in text
    assert "  FAILED repeat " in text
    meant = asyncio.run(calls.ticket(symbol="ACME", side="buy", qty="10", repeat=True))
    assert "  waived repeat " in meant


async def test_failed_checks_and_limits_not_met_are_said(calls: Calls) -> None:
    text = await calls.ticket(symbol="ACME", side="sell", qty="10", type="limit", limit_price="13", tif="gtc")
    assert "  FAILED holding    10 of 0 shares held and free; shorting is off" in text
    assert "limit           13 USD per share" in text
    assert "est. proceeds   130 USD" in text
    assert "outlook         stays open: the last close does not meet the limit" in text
    assert "type            limit, good until cancelled" in text


async def test_it_never_fails_and_never_writes(calls: Calls) -> None:
    ticket = await calls.ticket(symbol="NOPE", side="buy", qty="1")
    assert ticket.startswith(
        "ORDER TICKET    local paper account, no real money\n"
        "order           buy NOPE, market\n"
        "would fail      UNKNOWN_SYMBOL: 'NOPE' is not in the price store up to 2024-01-03; candidates: "
    )
    assert ticket.endswith("Report this as unavailable; do not estimate.")
    assert "BAD_INPUT" in await calls.ticket(symbol="ACME", side="buy")
    calls.settings = {"max_order": 0.5}
    assert "NOT_CONFIGURED" in await calls.ticket(symbol="ACME", side="buy", qty="1")
    assert not (calls.home / "paper.db").exists()


async def test_no_escape_code_of_an_imported_name_reaches_the_terminal(calls: Calls) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(calls.home / "market.db")) as connection, connection:
        connection.execute("UPDATE instruments SET name = ?", ("\x1b[2JAcme\nside  sell\u202e",))
    text = await calls.ticket(symbol="ACME", side="buy", qty="1")
    assert all(mark.isprintable() or mark == "\n" for mark in text)
    assert "\nside  sell" not in text


async def test_it_is_what_the_tool_offers_as_its_preview(calls: Calls) -> None:
    definition = the_tool(place_order)
    assert definition.preview is not None
    text = await definition.preview(
        {"symbol": "ACME", "side": "buy", "qty": "1"}, tool_context(home=calls.home, as_of=calls.as_of)
    )
    assert str(text).startswith("ORDER TICKET")


def test_the_preview_tool_says_the_same_as_data(calls: Calls) -> None:
    result = calls("preview", symbol="ACME", side="buy", notional="100")
    data = result["data"]
    assert (data["qty"], data["price"], data["cost"], data["cash_after"]) == ("8", "12.5", "100", "99900")
    assert (data["passed"], data["fills_now"]) == (True, True)
    assert (result["as_of"], result["sources"][0]["kind"]) == ("2024-01-03", "file")
    refused = calls.data("preview", symbol="ACME", side="sell", qty="1")
    assert [c["name"] for c in refused["checks"] if not c["passed"]] == ["holding"]
    assert not (Path(calls.home) / "paper.db").exists()
