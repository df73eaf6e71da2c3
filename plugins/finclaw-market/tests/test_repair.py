"""`finclaw data repair`: shows what would correct prices, applies it without losing the imported rows, and undoes it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from market_days import weekdays

from finclaw_cli.sdk import ToolContext
from finclaw_market.closes import closes
from finclaw_market.history import get_price_history

Context = Callable[..., ToolContext]
Run = Callable[..., tuple[int, str, str]]
DAYS = list(weekdays(date(2023, 3, 20), 12))


@pytest.fixture(autouse=True)
def _today(now: Callable[[date], None]) -> None:
    now(date(2023, 4, 5))


def feed(*, factor: float = 1.0, at: range = range(0), last: int = 12) -> str:
    rows = [f"{day},{round((100 + n) * (factor if n in at else 1), 4)},100\n" for n, day in enumerate(DAYS[:last])]
    return "Date,Close,Volume\n" + "".join(rows)


PENCE = feed(factor=100, at=range(3, 6))
SPLIT = feed(factor=4, at=range(6))


@pytest.fixture
def load_bad(run: Run, file: Callable[..., Path]) -> Callable[[str], None]:
    def put(text: str, *more: str) -> None:
        code, _, err = run("import", file(text), "--symbol", "X", "--adjustment", "split", *more)
        assert code == 0, err

    return put


def test_repairs_are_shown_and_nothing_is_changed(run: Run, load_bad: Callable[[str], None]) -> None:
    load_bad(SPLIT)
    code, out, err = run("repair", "x")
    assert (code, "multiply the prices of 2023-03-20..2023-03-27 by 0.25" in out) == (0, True)
    assert "return over all days: -72.25%, with the repairs 11.00%" in out
    assert err == "Nothing was changed: finclaw data repair X --apply\n"
    assert run("check", "X")[0] == 1


@pytest.mark.parametrize("text", [PENCE, SPLIT])
def test_applied_repairs_take_the_doubt_away_and_answers_name_them(
    run: Run, load_bad: Callable[[str], None], context: Context, text: str
) -> None:
    load_bad(text)
    assert closes("X", context()).doubts
    assert run("repair", "X", "--apply")[0] == 0
    found = closes("X", context())
    assert (found.doubts, found.adjustment) == ((), "split")
    assert any("of these bars are repaired" in warning for warning in found.warnings)
    assert [float(bar.close) for bar in found.bars] == [100.0 + n for n in range(12)]
    assert run("check", "X")[0] == 0


def test_undoing_gives_the_imported_prices_back(run: Run, load_bad: Callable[[str], None], context: Context) -> None:
    load_bad(PENCE)
    before = closes("X", context()).bars
    run("repair", "X", "--apply")
    assert run("repair", "X", "--undo") == (0, "X: 3 bars are as imported again.\n", "")
    assert closes("X", context()).bars == before
    assert run("repair", "X", "--undo")[1] == "X: no repairs.\n"


def test_the_imported_rows_stay_in_the_store(run: Run, load_bad: Callable[[str], None], home: Path) -> None:
    load_bad(PENCE)
    query = "SELECT * FROM bars ORDER BY date"
    with sqlite3.connect(home / "market.db") as store:
        before = store.execute(query).fetchall()
    run("repair", "X", "--apply")
    with sqlite3.connect(home / "market.db") as store:
        assert store.execute(query).fetchall() == before


def test_a_session_that_is_left_out_is_in_no_answer(
    run: Run, load_bad: Callable[[str], None], context: Context
) -> None:
    load_bad(feed(factor=2, at=range(5, 6)))
    run("repair", "X", "--apply")
    assert DAYS[5] not in {bar.day for bar in closes("X", context()).bars}


def test_an_import_of_the_same_file_keeps_repairs(run: Run, load_bad: Callable[[str], None], context: Context) -> None:
    load_bad(PENCE)
    run("repair", "X", "--apply")
    load_bad(PENCE)
    assert closes("X", context()).doubts == ()


def test_new_rows_are_checked_beside_repaired_ones(
    run: Run, load_bad: Callable[[str], None], file: Callable[..., Path]
) -> None:
    load_bad(feed(factor=100, at=range(3, 6), last=11))
    run("repair", "X", "--apply")
    _, out, err = run("import", file(PENCE), "--symbol", "X", "--adjustment", "split")
    assert (out, err) == ("X: 12 rows, 2023-03-20 to 2023-04-04: 1 new, 0 changed, 11 unchanged\n", "")


def test_an_import_that_changes_bars_undoes_repairs_and_names_that(
    run: Run, load_bad: Callable[[str], None], file: Callable[..., Path], context: Context
) -> None:
    load_bad(PENCE)
    run("repair", "X", "--apply")
    _, _, err = run("import", file(feed()), "--symbol", "X", "--adjustment", "split", "--replace")
    assert "X: its repairs are undone, because stored bars changed" in err
    assert not any(bar.repaired for bar in closes("X", context()).bars)


def test_applied_repairs_are_listed_with_their_reason(run: Run, load_bad: Callable[[str], None]) -> None:
    load_bad(PENCE)
    run("repair", "X", "--apply")
    shown = json.loads(run("repair", "X", "--json")[1])
    assert [each["change"] for each in shown["applied_before"]] == [
        "multiply the prices of 2023-03-23..2023-03-27 by 0.01"
    ]
    assert (shown["proposed"], shown["return"]["now"]) == ([], pytest.approx(0.11))


def test_prices_without_an_error_have_nothing_to_repair(run: Run, load_bad: Callable[[str], None]) -> None:
    load_bad(feed())
    assert run("repair", "X") == (0, "", "X: nothing to repair.\n")


def test_an_error_without_a_known_cause_has_no_proposal(run: Run, load_bad: Callable[[str], None]) -> None:
    load_bad(feed(factor=9.3, at=range(6)))
    assert "no repair is proposed" in run("repair", "X", "--apply")[1]


def test_what_cannot_be_repaired_is_refused(run: Run) -> None:
    assert run("repair", "NONE") == (2, "", "error: NONE is not in the price store\n")
    assert run("repair", "A", "--apply", "--undo")[2] == "error: --apply and --undo exclude each other\n"


def test_a_split_that_unadjusted_prices_lack_is_recorded(run: Run, file: Callable[..., Path], context: Context) -> None:
    rows = feed(factor=4, at=range(6)).replace("Volume", "Stock Splits").replace(",100\n", ",0\n")
    run("import", file(rows), "--symbol", "X", "--adjustment", "none")
    run("repair", "X", "--apply")
    result = get_price_history("X", context(), adjustment="split")
    assert isinstance(result.data, dict)
    assert result.data["summary"]["change_fraction"] == pytest.approx(0.11)


def test_a_store_of_the_version_before_is_read_and_can_be_repaired(
    run: Run, load_bad: Callable[[str], None], home: Path, context: Context
) -> None:
    load_bad(PENCE)
    with sqlite3.connect(home / "market.db") as store:
        store.executescript("DROP TABLE repairs; DROP TABLE repaired; PRAGMA user_version = 2")
    store.close()
    assert len(closes("X", context()).doubts) == 1
    assert run("repair", "X", "--apply")[0] == 0
    assert closes("X", context()).doubts == ()
