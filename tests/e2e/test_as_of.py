"""No tool returns what was not known as of the run's date, whatever its stores hold and whatever the call."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.testing.tools import tool_context
from finclaw_cli.tools.define import define_all
from tests.e2e.as_of_stores import AS_OF, LATER, MARK, WORD, Stores, bean_query
from tests.e2e.harness import Finclaw

ROOT = Path(__file__).parents[2] / "plugins"
Calls = list[dict[str, Any]]
PLANT, NEW, ADJUSTED = {"symbol": "PLANT"}, {"symbol": f"{WORD}CO"}, {"symbol": "ADJUSTED"}
WIDE = {"start": "2024-04-01", "end": "2024-12-31"}
YEAR, LATER_PERIOD = {"period": "this year"}, {"period": "2024-07"}
ORDER = {**PLANT, "side": "buy", "qty": "1"}

# Calls of each tool that reach rows of later days.
CALLS: dict[str, Calls] = {
    "find_symbol": [{"query": WORD}, {"query": f"{WORD}C", "limit": 50}, {"query": "PLANT"}],
    "get_quote": [
        {**ADJUSTED, "max_age_sessions": 100_000},
        {**PLANT, "max_age_sessions": 100_000}, {**NEW, "max_age_sessions": 100_000}, {"symbol": f"{WORD}C"},
        {**PLANT, "max_age_sessions": 100_000, "as_of": "2025-01-01"},
    ],
    "get_price_history": [ADJUSTED, PLANT, {**PLANT, **WIDE}, NEW, {**PLANT, "adjustment": "split"}, {**PLANT, "start": "2024-07-01"},
                          {**PLANT, **YEAR}, {**PLANT, **LATER_PERIOD}, {**PLANT, "adjustment": "total", "interval": "month"}],
    "convert_currency": [
        {"amount": "1", "from_currency": source, "to_currency": target, "on_missing": missing, **day}
        for source, target in (("USD", "VND"), ("USD", "XPF"), ("USD", "EUR"), ("USD", "QQQ"), ("HRK", "EUR"))
        for missing in ("error", "previous") for day in ({}, {"date": "2024-06-28"}, {"date": "2024-07-01"})
    ],
    "get_series": [{"series": name, **more} for name in ("GDPX", f"{WORD}X", "MORROTX") for more in ({}, {"as_of": "2025-01-01"}, YEAR)],
    "market_sessions": [{"exchange": "XNYS", **WIDE}, {"exchange": "XNYS", **YEAR}, {"exchange": "XNYS", "start": "2024-07-01", "end": "2024-07-31"}],
    "import_data": [{"path": "plant.csv", **PLANT, "dry_run": dry} for dry in (True, False)],
    "plot_prices": [{**ADJUSTED, "format": "text"}, {**PLANT, **YEAR, "format": "text"}, {**PLANT, "format": "text"}, {**PLANT, **WIDE}],
    "performance": [ADJUSTED, PLANT, {**PLANT, **YEAR}, {**PLANT, **LATER_PERIOD}, {**PLANT, "benchmark": "PLANT"}, {**PLANT, "as_of": "2025-01-01"}, NEW],
    "risk": [PLANT, {**PLANT, **YEAR}, {"holdings": {"PLANT": "3"}, "holdings_are": "quantities"}, NEW],
    "compare": [{"symbols": ["ADJUSTED", "PLANT"], **more} for more in ({}, YEAR, {"as_of": "2025-01-01"})]
    + [{"symbols": ["ADJUSTED", "PLANT", f"{WORD}CO"]}],
    "portfolio": [{"positions": {"PLANT": "3"}}, {"positions": {"PLANT": "3"}, "as_of": "2025-01-01"}],
    "ledger_portfolio": [{}, {"as_of": "2025-01-01"}, {"currency": "USD"}],
    "portfolio_return": [{}, {"end": "2025-01-01"}, {"path": "trades.csv"}, {"currency": "EUR"}],
    "realised_gains": [{}, {"end": "2025-01-01"}, {"path": "trades.csv"}, {"currency": "EUR"}],
    "indicator": [{**PLANT, "name": "sma", "params": {"length": 3}}, {**PLANT, **YEAR, "name": "sma"}, {**NEW, "name": "sma"}],
    "company": [{"identifier": name} for name in ("1234567", "7654321", f"{WORD} Inc", f"{WORD} In")],
    "financials": [
        {"identifier": "1234567", "concepts": [name], **more}
        for name in ("revenue", f"{WORD}Tag", "MorrotTag") for more in ({}, {"as_of": "2025-01-01"})
    ] + [{"identifier": "7654321", "concepts": ["revenue"]}],
    "ratios": [
        {"identifiers": names, "measures": ["revenue", "revenue_growth", f"{WORD}Tag"], "period": period, **more}
        for names in (["1234567"], ["1234567", "7654321"]) for period in ("annual", "ttm")
        for more in ({}, {"as_of": "2025-01-01"})
    ],
    "list_filings": [{"identifier": "1234567"}, {"identifier": "1234567", "start": "2024-05-01"}, {"identifier": "7654321"}],
    "read_filing": [{"accession": f"0001234567-24-{number}", "offset": 0} for number in ("021099", "080199")]
    + [{"accession": "20240801.txt"}],
    "search_filings": [{"query": "anvils"}, {"query": f"{WORD} anvils"}, {"query": "risks", "identifier": f"{WORD} Inc"}],
    "ownership": [{"identifier": "1234567"}, {"identifier": "1234567", "search": WORD}, {"identifier": "7654321"}],
    "ledger_accounts": [{}],
    "ledger_balance": [{}, {"date": "2024-07-02"}, {"account": f"{WORD} account"}, {"account": "nobody"}],
    "ledger_transactions": [{}, {"payee": WORD}, WIDE, YEAR, LATER_PERIOD, {"start": "2024-07-01"}],
    "spending": [{}, YEAR, {"by": "payee"}, {"start": "2024-07-01", "end": "2024-12-31"}],
    "income_statement": [WIDE, YEAR, {"start": "2024-07-01", "end": "2024-12-31"}],
    "budget": [{"amounts": {"Food": "400", "Rent": "90 per year"}, "currency": code, **more}
               for code in ("EUR", "USD") for more in ({}, YEAR, LATER_PERIOD)],
    "holdings": [{}, {"date": "2024-07-05"}],
    "ledger_query": [{"bql": "SELECT account"}, {"bql": "BALANCES FROM CLOSE ON 2024-06-29"}, {"bql": "SELECT today()"}],
    "import_statement": [{"path": "giro.csv", "account": "other", "currency": "USD", "dry_run": dry} for dry in (True, False)],
    "get_account": [{}],
    "get_positions": [{}],
    "list_orders": [{}, {"status": "open"}, {"status": "closed"}],
    "preview_order": [{**ORDER, **ADJUSTED}, ORDER, {**ORDER, **NEW}, {**ORDER, "side": "sell", "qty": "11"}],
    "place_order": [ORDER, {**ORDER, **NEW}],
    "cancel_order": [{"client_order_id": "{cancelled}"}, {"client_order_id": "{later}"}],
    "reconcile": [{}, {"client_order_id": "{cancelled}"}, {"client_order_id": "{later}"}],
}  # fmt: skip
# Tools that use their input alone.
WITHOUT_STORE = {"calc", "cashflow_return", "option_value", "bond", "loan"}
# Files of the workspace and skills have no date; README states that they are given as they are.
UNDATED = {"read", "write", "edit", "glob", "grep", "shell", "load_skill"}
# These refuse some calls where the books, or the files, go on after the day.
REFUSED = {"import_data", "import_statement", "preview_order", "place_order", "cancel_order", "reconcile"}
# A warning may tell that the books go on, without a later date or value.
_GOES_ON = re.compile(r'"the books go on after [0-9-]+; shown as of that day"(, )?')
_PROVENANCE = ("retrieved_at", "submitted_at", "sha256")


@pytest.fixture(scope="module")
def tools() -> Iterator[dict[str, ToolDefinition]]:
    """Every tool of every plugin of this repository; one that cannot be imported fails all tests."""
    with pytest.MonkeyPatch.context() as patch:
        found: dict[str, ToolDefinition] = {}
        for plugin in sorted(path.name for path in ROOT.iterdir() if (path / "src").is_dir()):
            patch.syspath_prepend(str(ROOT / plugin / "src"))
            module = import_module(f"{plugin.replace('-', '_')}.plugin")
            for offered in getattr(module, "finclaw_tools", tuple)():
                found |= {definition.name: definition for definition in define_all(offered)}
        yield found


@pytest.fixture(scope="module")
def stores(
    tools: dict[str, ToolDefinition], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Stores, Stores]]:
    """Stores with and without what is of later days."""
    folder = tmp_path_factory.mktemp("planted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{bean_query(folder / 'bin')}{os.pathsep}{os.environ['PATH']}")
        yield Stores(folder / "with", tools, later=True), Stores(folder / "without", tools, later=False)


def calls_of(name: str, store: Stores) -> Calls:
    """The calls of the table, with the ids of orders filled in."""
    later = json.loads(store.call("list_orders", {}, LATER))["data"]["orders"][0]["client_order_id"]
    ids = {"{cancelled}": store.cancelled, "{later}": later}
    return [{key: ids.get(str(value), value) for key, value in call.items()} for call in CALLS[name]]


def bare(text: str, given: dict[str, Any]) -> str:
    """A result without provenance, and without what was given, which it may repeat."""
    with suppress(ValueError):  # an error is plain text
        text = json.dumps(without_provenance(json.loads(text)), ensure_ascii=False)
    values = [item for value in given.values() for item in (value if isinstance(value, list) else [value])]
    for value in sorted({str(value) for value in values if len(str(value)) >= len(WORD)}, key=len, reverse=True):
        text = re.sub(re.escape(value), "", text, flags=re.IGNORECASE)
    return re.sub(r"fc-[0-9a-f]{32}", "", text)


def without_provenance(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: without_provenance(value) for key, value in found.items() if key not in _PROVENANCE}
    return [without_provenance(item) for item in found] if isinstance(found, list) else found


def later_than(day: date, text: str) -> list[str]:
    """What in a text is planted, or a date after that day."""
    found = [
        found
        for found in re.findall(r"(?<![0-9-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9-])", text)
        if found > day.isoformat()
    ]
    return [*found, *(mark for mark in (MARK, WORD) if mark.casefold() in text.casefold())]


def test_every_tool_is_in_the_table(tools: dict[str, ToolDefinition], finclaw: Finclaw) -> None:
    # Skills, which the demo has, bring a tool of finclaw's own.
    listed = json.loads(finclaw("tools", "list", "--json", env={"FINCLAW_PLUGINS": "finclaw-demo"}).stdout)
    builtin = {tool["name"] for tool in listed if tool["source"] == "builtin"}
    assert {*tools, *builtin} == {*CALLS, *WITHOUT_STORE, *UNDATED}


@pytest.mark.parametrize("name", CALLS)
def test_nothing_later_comes_back(name: str, stores: tuple[Stores, Stores]) -> None:
    store = stores[0]
    for given in calls_of(name, store):
        result = store.call(name, given, AS_OF)
        assert later_than(AS_OF, bare(result, given)) == [], (given, result)


@pytest.mark.parametrize("name", sorted({*CALLS} - {"place_order", "cancel_order"}))
def test_the_calls_would_come_upon_it(name: str, stores: tuple[Stores, Stores]) -> None:
    store = stores[0]
    assert any(later_than(AS_OF, bare(store.call(name, given, None), given)) for given in calls_of(name, store))


@pytest.mark.parametrize("name", sorted({*CALLS} - REFUSED))
def test_the_answer_is_that_of_stores_without_it(name: str, stores: tuple[Stores, Stores]) -> None:
    planted, plain = stores
    for given in calls_of(name, planted):
        first, second = (bare(store.call(name, given, AS_OF), given) for store in (planted, plain))
        assert _GOES_ON.sub("", first).replace(', "warnings": []', "") == second, given


@pytest.mark.parametrize("name", ["place_order", "import_data", "import_statement"])
async def test_what_is_shown_before_an_approval_has_nothing_later(
    name: str, stores: tuple[Stores, Stores], tools: dict[str, ToolDefinition]
) -> None:
    preview = tools[name].preview
    assert preview is not None
    for given in calls_of(name, stores[0]):
        context = tool_context(home=stores[0].home, workspace=stores[0].workspace, as_of=AS_OF)
        try:
            result = str(await preview(given, context))
        except Exception as error:  # noqa: BLE001 - what it refuses with is shown as well
            result = str(error)
        assert later_than(AS_OF, bare(result, given)) == [], (given, result)


def test_no_other_tool_has_a_preview_that_reads_a_store(tools: dict[str, ToolDefinition]) -> None:
    assert {name for name, tool in tools.items() if tool.preview} == {
        "place_order",
        "import_data",
        "import_statement",
        "write",
        "edit",
        "shell",
    }
