"""The same with the real `bean-query`, where it is installed; test_beancount.py runs always."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from answers import Answer
from statements import BEANCOUNT

from finclaw_cli.sdk import find_program

pytestmark = pytest.mark.skipif(
    find_program("bean-query") is None,
    reason="the extra beancount is not installed",
)


def test_the_real_program_answers(tmp_path: Path, ask: Callable[..., Answer]) -> None:
    path = tmp_path / "main.beancount"
    path.write_text(BEANCOUNT)
    context = {"settings": {"beancount_file": str(path)}}
    assert ask("ledger_balance", context, account="Assets:Bank").data["total"] == {"EUR": "957.50"}
    assert ask("holdings", context).data["quantities"] == {"ACME": "3"}
    assert ask("spending", context).data["spending"]["EUR"]["total"] == "12.50"
    assert ask("ledger_query", context, bql="SELECT account, sum(number) GROUP BY account").data["count"] == 4
    early = {**context, "as_of": date(2024, 1, 6)}
    assert ask("ledger_query", early, bql="BALANCES").data["count"] == 3
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["main.beancount"]


LATER = """option "operating_currency" "EUR"
option "name_assets" "Vermoegen"
include "parts/*.bean"
2024-01-01 open Vermoegen:Cash EUR
2024-01-01 open Vermoegen:Broker
2024-01-01 open Equity:Opening
2024-01-02 pad Vermoegen:Cash Equity:Opening
2024-01-07 * "Buy"
  Vermoegen:Broker  3 ACME {10.00 EUR}
  Vermoegen:Cash  -30.00 EUR
2024-01-08 price ACME 11.00 EUR
2024-02-01 balance Vermoegen:Cash 777.00 EUR
2024-03-01 price ACME 99.00 EUR
"""


@pytest.mark.parametrize(
    ("bql", "expected"),
    [
        ("SELECT value(sum(position)) WHERE account ~ 'Broker'", [["33.00 EUR"]]),
        ("SELECT getprice('ACME', 'EUR') LIMIT 1", [["11.00"]]),
        ("SELECT sum(number) WHERE account ~ 'Cash'", [["-30.00"]]),
        ("SELECT close_date('Vermoegen:Broker') LIMIT 1", [[""]]),
        ("SELECT count(*) WHERE narration ~ 'LATER'", [["0"]]),
        ("SELECT filename WHERE number = 3", [["MAIN"]]),
        ("SELECT lineno WHERE number = 3", [["9"]]),
    ],
)
def test_the_real_program_knows_nothing_of_later_days(
    tmp_path: Path, ask: Callable[..., Answer], bql: str, expected: list[list[str]]
) -> None:
    path = tmp_path / "main.beancount"
    path.write_text(LATER)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.bean").write_text(
        '2024-03-02 * "LATER"\n  Vermoegen:Cash  777.01 EUR\n  Equity:Opening\n2024-03-05 close Vermoegen:Broker\n'
    )
    context = {"settings": {"beancount_file": str(path)}, "as_of": date(2024, 1, 10)}
    answer = ask("ledger_query", context, bql=bql)
    rows = answer.data["rows"] or [["0"]]
    assert rows == [[cell.replace("MAIN", str(path)) for cell in row] for row in expected]
    assert "777" not in answer.text
