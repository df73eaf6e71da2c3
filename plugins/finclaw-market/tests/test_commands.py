from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from finclaw_market import plugin

GOOD = "Date,Open,High,Low,Close\n" + "".join(f"2024-01-{day:02},10,12,9,11\n" for day in range(1, 9))


Run = Callable[..., tuple[int, str, str]]


def test_import_list_and_check_tell_one_story(run: Run, file: Callable[..., Path]) -> None:
    path = file(GOOD)
    code, out, err = run(
        "import", path, "--symbol", "acme", "--currency", "usd", "--name", "Acme", "--tz", "Asia/Seoul"
    )
    assert (code, out) == (0, "ACME: 8 rows, 2024-01-01 to 2024-01-08: 8 new, 0 changed, 0 unchanged\n")
    assert err == "warning: ACME 2024-01-01..2024-01-08 stale: 8 sessions with the same prices\n"
    code, out, err = run("list")
    assert (code, out.splitlines()[1].split(), err) == (
        0,
        ["ACME", "Acme", "USD", "2024-01-01", "2024-01-08", "8", "prices.csv"],
        "",
    )
    code, out, err = run("check")
    assert (code, out) == (1, "ACME 2024-01-01..2024-01-08 stale: 8 sessions with the same prices\n")
    assert err == "1 instrument checked, 1 finding.\n"


def test_a_later_import_states_how_equal_bars_are_adjusted(run: Run, file: Callable[..., Path]) -> None:
    path = file("Date,Close\n2024-01-02,10\n2024-01-03,11\n")
    run("import", path, "--symbol", "A", "--currency", "USD")
    code, out, err = run("import", path, "--symbol", "A", "--currency", "USD", "--adjustment", "none")
    assert (code, out) == (0, "A: 2 rows, 2024-01-02 to 2024-01-03: 0 new, 2 changed, 0 unchanged\n")
    assert "changed: A 2024-01-02: adjustment unstated → none" in err
    assert run("import", path, "--symbol", "A", "--adjustment", "none")[1].endswith("0 changed, 2 unchanged\n")


@pytest.mark.parametrize(
    ("first", "second", "close"),
    [(None, "none", "12"), ("none", "split", "11"), ("none", None, "11")],
    ids=["other price", "other adjustment", "no adjustment"],
)
def test_other_changes_need_replace(
    run: Run, file: Callable[..., Path], first: str | None, second: str | None, close: str
) -> None:
    given = [["--adjustment", each] if each else [] for each in (first, second)]
    run("import", file("Date,Close\n2024-01-02,11\n"), "--symbol", "A", *given[0])
    code, _, err = run("import", file(f"Date,Close\n2024-01-02,{close}\n"), "--symbol", "A", *given[1])
    assert code == 2
    assert "--replace" in err


def test_a_check_without_findings_is_exit_code_0(run: Run, file: Callable[..., Path]) -> None:
    run("import", file("Date,Close\n2024-01-02,10\n2024-01-03,11\n"), "--symbol", "A")
    assert run("check")[0] == 0


def test_a_check_of_a_symbol_that_is_not_stored_leads_on(run: Run) -> None:
    code, out, err = run("check", "ZETA")
    assert (code, out) == (2, "")
    assert "`finclaw data list`" in err
    assert "`finclaw data import FILE --symbol ZETA --currency USD --adjustment none`" in err


def test_a_check_in_json_has_the_same_exit_code(run: Run, file: Callable[..., Path]) -> None:
    run("import", file(GOOD), "--symbol", "A")
    assert run("check", "--json")[0] == 1


def test_a_dry_run_with_a_bad_row_is_exit_code_2(run: Run, file: Callable[..., Path]) -> None:
    assert run("import", file(GOOD + "2024-01-09,10,12,9,-11\n"), "--symbol", "A", "--dry-run")[0] == 2


def test_a_bad_row_is_told_on_stderr_with_code_2(run: Run, file: Callable[..., Path], home: Path) -> None:
    code, out, err = run("import", file(GOOD + "2024-01-09,10,12,9,-11\n"), "--symbol", "A")
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "prices.csv:10: close -11 is not above zero: 2024-01-09, 10, 12, 9, -11",
        "Nothing was imported. 1 row is bad; --skip-bad-rows leaves it out.",
    ]
    assert not home.exists()


def test_the_report_is_one_json_object_on_stdout(run: Run, file: Callable[..., Path]) -> None:
    code, out, _ = run("import", file(GOOD + "2024-01-09,10,12,9,-11\n"), "--symbol", "A", "--json")
    report = json.loads(out)
    assert (code, report["imported"], report["rejected"][0]["line"]) == (2, False, 10)
    code, out, _ = run("import", file(GOOD), "--symbol", "A", "--json", "--dry-run")
    assert (code, json.loads(out)["symbols"][0]["new"]) == (0, 8)
    run("import", file(GOOD), "--symbol", "A")
    assert json.loads(run("list", "--json")[1])["instruments"][0]["bars"] == 8
    assert json.loads(run("check", "a", "--json")[1])["findings"][0]["kind"] == "stale"


def test_control_characters_of_a_file_never_reach_the_terminal(run: Run, file: Callable[..., Path]) -> None:
    code, _, err = run("import", file("Date,Close\n2024-01-01,\x1b[31m1\n"), "--symbol", "A")
    assert (code, "[31m1" in err) == (2, True)
    assert "\x1b" not in err


def test_an_empty_store_is_not_an_error(run: Run) -> None:
    assert run("list") == (
        0,
        "",
        "No prices of your own are stored yet: finclaw data import FILE --symbol SYMBOL --currency USD --adjustment none\n",
    )
    assert run("list", "--json")[1] == '{"instruments": []}\n'
    assert run("check")[0] == 0
    assert run("check", "A")[0] == 2


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("--symbol", "A B", "is not a symbol"),
        ("--currency", "dollars", "is not a currency code"),
        ("--tz", "Mars/Phobos", "is not a time zone"),
        ("--encoding", "rot13", "--encoding: unknown encoding 'rot13'"),
        ("--encoding", "zip", "--encoding: unknown encoding 'zip'"),
        ("--decimal", ";", "--decimal is . or ,"),
    ],
)
def test_a_wrong_option_is_named(run: Run, file: Callable[..., Path], option: str, value: str, hint: str) -> None:
    code, _, err = run("import", file(GOOD), option, value)
    assert code == 2
    assert hint in err


def test_the_plugin_offers_its_tools_without_importing_what_is_heavy() -> None:
    names = [tool.name for tool in plugin.finclaw_tools()]
    assert names == [
        "find_symbol",
        "get_quote",
        "get_price_history",
        "convert_currency",
        "get_series",
        "market_sessions",
        "import_data",
        "plot_prices",
    ]


def test_a_damaged_store_is_one_clear_line(run: Run, home: Path) -> None:
    home.mkdir()
    (home / "market.db").write_bytes(b"not a database at all, but long enough" * 30)
    code, out, err = run("list")
    assert (code, out) == (2, "")
    assert err.startswith("error: cannot use ")


@pytest.mark.parametrize("command", ["list", "check"])
def test_a_store_that_is_a_directory_is_one_clear_line(run: Run, home: Path, command: str) -> None:
    (home / "market.db").mkdir(parents=True)
    code, out, err = run(command)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "is a directory, not a price store" in err


def test_rows_out_of_order_are_told_one_by_one_or_sorted(run: Run, file: Callable[..., Path]) -> None:
    path = file("Date,Close\n2024-01-02,1\n2024-01-04,1\n2024-01-03,1\n2024-01-05,1\n")
    code, _, err = run("import", path, "--symbol", "A")
    assert code == 2
    assert err.startswith("prices.csv:4: out of order: 2024-01-03 after 2024-01-04: 2024-01-03, 1\n")
    assert run("import", path, "--symbol", "A", "--sort")[0] == 0


def test_the_distribution_names_its_entry_point() -> None:
    found = [point for point in entry_points(group="finclaw") if point.name == "finclaw-market"]
    assert not found or found[0].value == "finclaw_market.plugin"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("yahoo", "A", "--start", "soon"), "is not a date"),
        (("yahoo", "A B"), "is not a symbol"),
        (("fred", "GDP"), "NOT_CONFIGURED: FRED_API_KEY is not set"),
    ],
)
def test_what_cannot_be_fetched_is_said_before_anything_goes_out(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], why: str
) -> None:
    monkeypatch.delenv("FRED_API_KEY", raising=False)
    code, out, err = run("fetch", *arguments)
    assert (code, out, why in err) == (2, "", True)
    assert "do not estimate" not in err
