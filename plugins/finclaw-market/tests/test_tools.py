from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from market_days import weekdays

from finclaw_cli.sdk import FinanceResult, ToolContext, ToolError
from finclaw_market.fx import convert_currency
from finclaw_market.history import get_price_history
from finclaw_market.options import ImportReport
from finclaw_market.quotes import find_symbol, get_quote
from finclaw_market.staging import Facts

Load = Callable[..., ImportReport]
Context = Callable[..., ToolContext]
DAYS = list(weekdays(date(2024, 1, 1), 60))
TEXT = "Date,Open,High,Low,Close,Volume\n" + "".join(
    f"{day},{10 + n},{12 + n},{9 + n},{11 + n}.5,{100 + n}\n" for n, day in enumerate(DAYS)
)


@pytest.fixture
def acme(load: Load, now: Callable[[date], None]) -> None:
    now(date(2024, 3, 25))
    load(TEXT, facts=Facts(name="Acme Corp", currency="USD", exchange="XNYS", tz="America/New_York"), adjustment="none")


def fields(result: FinanceResult) -> dict[str, object]:
    assert isinstance(result.data, dict)
    return result.data


@pytest.mark.usefixtures("acme")
def test_a_quote_says_what_when_in_which_unit_and_from_where(context: Context) -> None:
    result = get_quote("acme", context())
    assert result.to_json() == {
        "data": {
            "close": "70.5",
            "session": "2024-03-22",
            "previous_close": "69.5",
            "previous_session": "2024-03-21",
            "change": "1",
            "change_fraction": 0.01438848921,
        },
        "as_of": "2024-03-22",
        "instrument": {"symbol": "ACME", "name": "Acme Corp", "exchange": "XNYS", "currency": "USD"},
        "tz": "America/New_York",
        "calendar": "weekdays",
        "sessions_behind": 1,
        "units": {"close": "USD/share", "previous_close": "USD/share", "change": "USD/share", "change_fraction": "1"},
        "adjustment": "none",
        "method": {
            "name": "last_close",
            "convention": "close of the last session; change_fraction = change / previous",
        },
        "sources": [
            {
                "id": "s1",
                "kind": "file",
                "ref": "prices.csv",
                "sha256": result.sources[0].sha256,
                "rows": "60..61",
                "retrieved_at": result.sources[0].retrieved_at,
                "licence": "user",
            }
        ],
    }


@pytest.mark.usefixtures("acme")
def test_nothing_later_than_the_run_s_date_is_ever_returned(context: Context) -> None:
    run = context(as_of=date(2024, 2, 14))
    assert get_quote("ACME", run).as_of == "2024-02-14"
    later = get_quote("ACME", run, as_of=date(2024, 3, 1))
    assert later.as_of == "2024-02-14"
    assert "not reached yet" in later.warnings[0]
    history = get_price_history("ACME", run, end=date(2024, 3, 1), limit=1)
    assert fields(history)["rows"][-1][0] == date(2024, 2, 14)  # type: ignore[index]
    candidate = fields(find_symbol("acme", run))["candidates"][0]  # type: ignore[index]
    assert candidate["last"] == date(2024, 2, 14)
    with pytest.raises(ToolError, match="UNKNOWN_SYMBOL"):
        get_quote("ACME", context(as_of=date(2023, 12, 31)))


@pytest.mark.usefixtures("acme")
def test_an_old_price_is_refused_with_its_age(context: Context) -> None:
    with pytest.raises(
        ToolError, match=r"^STALE_DATA: .* 2024-03-22, 6 weekdays before 2024-04-01.*do not estimate\.$"
    ):
        _at(date(2024, 4, 1), context)
    assert get_quote("ACME", context(as_of=date(2024, 3, 24)), max_age_sessions=0).sessions_behind == 0


def _at(day: date, context: Context) -> FinanceResult:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("finclaw_market.results.today", lambda tz=None: day)
        return get_quote("ACME", context())


def test_a_split_on_the_day_does_not_look_like_a_crash(load: Load, context: Context) -> None:
    text = "Date,Close,Stock Splits\n2024-01-02,100,0\n2024-01-03,52,2\n"
    load(text, adjustment="none")
    result = get_quote("ACME", context(as_of=date(2024, 1, 3)))
    assert fields(result)["previous_close"] == "50"
    assert fields(result)["change_fraction"] == 0.04
    assert any("split 2" in warning for warning in result.warnings)


@pytest.mark.usefixtures("acme")
def test_history_sums_up_the_whole_window_and_lists_its_latest_rows(context: Context) -> None:
    result = get_price_history("ACME", context(), limit=2)
    data = fields(result)
    assert data["columns"] == ["date", "open", "high", "low", "close", "volume"]
    assert data["rows"] == [
        [date(2024, 3, 21), "68", "70", "67", "69.5", 158],
        [date(2024, 3, 22), "69", "71", "68", "70.5", 159],
    ]
    assert data["summary"]["n"] == 60  # type: ignore[index]
    assert (result.truncated, result.adjustment, result.sources[0].rows) == (True, "none", "2..61")
    assert fields(get_price_history("ACME", context(), limit=0))["rows"] == []
    assert not get_price_history("ACME", context()).truncated


@pytest.mark.usefixtures("acme")
def test_weeks_and_months_name_the_ones_that_are_not_complete(context: Context) -> None:
    weeks = fields(get_price_history("ACME", context(as_of=date(2024, 1, 17)), interval="week"))
    assert weeks["columns"][-1] == "sessions"  # type: ignore[index]
    assert weeks["rows"] == [
        [date(2024, 1, 5), "10", "16", "9", "15.5", 510, 5],
        [date(2024, 1, 12), "15", "21", "14", "20.5", 535, 5],
        [date(2024, 1, 17), "20", "24", "19", "23.5", 333, 3],
    ]
    assert weeks["partial"] == [date(2024, 1, 17)]
    months = fields(get_price_history("ACME", context(), interval="month", start=date(2024, 1, 10)))
    assert months["partial"] == [date(2024, 1, 31), date(2024, 3, 22)]


@pytest.mark.usefixtures("acme")
def test_bad_windows_and_missing_data_are_errors_that_forbid_guessing(context: Context) -> None:
    for call, code in (
        (lambda: get_price_history("ACME", context(), start=date(2024, 2, 2), end=date(2024, 2, 1)), "BAD_INPUT"),
        (lambda: get_price_history("ACME", context(), limit=-1), "BAD_INPUT"),
        (lambda: get_price_history("ACME", context(), adjustment="split"), "BAD_INPUT"),
        (lambda: get_price_history("ACME", context(), end=date(2023, 1, 1)), "BAD_INPUT"),
        (lambda: get_price_history("ACME", context(), start=date(2024, 2, 3), end=date(2024, 2, 4)), "NO_DATA"),
        (lambda: get_quote("ACME", context(), max_age_sessions=-1), "BAD_INPUT"),
        (lambda: find_symbol("a", context(), limit=0), "BAD_INPUT"),
    ):
        with pytest.raises(ToolError, match=rf"^{code}: .*do not estimate\.$"):
            call()


def test_without_any_import_the_error_says_how_to_import(context: Context) -> None:
    with pytest.raises(ToolError, match=r"NO_DATA: .*finclaw data import"):
        get_quote("ACME", context())


def test_an_unknown_or_ambiguous_symbol_is_an_error_with_candidates(load: Load, context: Context) -> None:
    load("symbol,date,price\nSAP.DE,2024-01-02,1\nSAP.PA,2024-01-02,2\nAAPL,2024-01-02,2\n", symbol=None)
    with pytest.raises(ToolError, match=r"AMBIGUOUS_SYMBOL: 'SAP' may be SAP\.DE, SAP\.PA"):
        get_quote("SAP", context())
    with pytest.raises(ToolError, match=r"UNKNOWN_SYMBOL: 'APPL' .*candidates: AAPL"):
        get_quote("APPL", context())
    with pytest.raises(ToolError, match=r"BAD_INPUT: '; DROP TABLE bars' is not a symbol"):
        get_quote("; DROP TABLE bars", context())


@pytest.mark.usefixtures("acme")
def test_symbols_are_found_by_parts_of_their_names(context: Context) -> None:
    for query in ("ACME", "ac", "corp", "Acme Corp", "acmee"):
        assert fields(find_symbol(query, context()))["candidates"][0]["symbol"] == "ACME"  # type: ignore[index]
    nothing = find_symbol("zzz", context())
    assert fields(nothing) == {"candidates": []}
    assert nothing.warnings == ("nothing matches; the store holds 1 instruments",)


def test_a_series_from_several_files_says_so_and_cites_both(load: Load, context: Context) -> None:
    load("Date,Close\n2024-01-02,1\n", name="a.csv")
    load("Date,Close\n2024-01-03,2\n", name="b.csv")
    result = get_price_history("ACME", context())
    assert [source.ref for source in result.sources] == ["a.csv", "b.csv"]
    assert "the series comes from 2 files" in result.warnings
    assert "the import did not say the currency" in result.warnings
    assert result.adjustment == "unstated"


def test_rates_are_the_central_bank_s_and_exact(context: Context) -> None:
    result = convert_currency(Decimal(100), "usd", "EUR", context(), date=date(2014, 3, 28))
    data = fields(result)
    assert data["amount"] == {"amount": "72.68", "currency": "EUR"}
    assert data["rates_per_eur"] == {"USD": "1.3759", "EUR": "1"}
    assert (data["rate"], data["rate_date"], result.sessions_behind) == ("0.7267970056", date(2014, 3, 28), 0)
    assert result.sources[0].ref.startswith("European Central Bank euro reference rates")
    assert len(result.sources[0].sha256 or "") == 64


def test_currencies_without_a_minor_unit_are_rounded_to_whole_ones(context: Context) -> None:
    data = fields(convert_currency(Decimal("12.34"), "USD", "KRW", context(), date=date(2014, 3, 28)))
    exact = Decimal("12.34") * Decimal(data["rates_per_eur"]["KRW"]) / Decimal("1.3759")  # type: ignore[index]
    assert data["amount"] == {"amount": str(round(exact)), "currency": "KRW"}


def test_a_day_without_rates_is_an_error_or_the_one_before(context: Context) -> None:
    saturday = date(2014, 3, 29)
    for pair in (("USD", "EUR"), ("EUR", "EUR")):
        with pytest.raises(ToolError, match=r"NO_DATA: no rate on 2014-03-29 .*2014-03-28"):
            convert_currency(Decimal(1), *pair, context(), date=saturday)
    data = fields(convert_currency(Decimal(1), "USD", "EUR", context(), date=saturday, on_missing="previous"))
    assert data["rate_date"] == date(2014, 3, 28)


def test_the_latest_rate_is_the_latest_before_the_run_s_date(context: Context) -> None:
    result = convert_currency(Decimal(1), "USD", "JPY", context(as_of=date(2010, 6, 6)))
    assert (result.as_of, result.sessions_behind) == ("2010-06-04", 0)
    with pytest.raises(ToolError, match="BAD_INPUT: 2010-06-07 is after 2010-06-06"):
        convert_currency(Decimal(1), "USD", "JPY", context(as_of=date(2010, 6, 6)), date=date(2010, 6, 7))


def test_old_rates_are_marked_and_ended_ones_refused(context: Context, now: Callable[[date], None]) -> None:
    now(date(2035, 1, 1))
    result = convert_currency(Decimal(1), "USD", "JPY", context())
    assert "weekdays old" in result.warnings[0]
    with pytest.raises(ToolError, match=r"NO_DATA: no rate near .*HRK has rates from .* to 2022-12-30"):
        convert_currency(Decimal(1), "USD", "HRK", context())


@pytest.mark.parametrize("amount", ["NaN", "Infinity", "1e30", "9" * 5_000, f"0.{'3' * 5_000}", "1e-9999", "0e9999"])
def test_amounts_that_no_one_has_are_refused_in_few_words(context: Context, amount: str) -> None:
    with pytest.raises(ToolError, match="BAD_INPUT") as caught:
        convert_currency(Decimal(amount), "USD", "EUR", context())
    assert len(str(caught.value)) < 250


@pytest.mark.usefixtures("acme")
def test_endless_input_is_refused_and_repeated_in_part(context: Context) -> None:
    for call in (
        lambda: get_quote("A" * 1_000_000, context()),
        lambda: get_price_history("\n" * 1_000_000, context()),
        lambda: find_symbol("A" * 1_000_000, context()),
        lambda: convert_currency(Decimal(1), "A" * 1_000_000, "EUR", context()),
        lambda: get_quote("A" * 33, context()),
    ):
        with pytest.raises(ToolError, match=r"^BAD_INPUT: ") as caught:
            call()
        assert len(str(caught.value)) < 400
        assert "A" * 61 not in str(caught.value)


def test_searching_an_empty_store_finds_nothing_and_says_why(context: Context) -> None:
    result = find_symbol("AAPL", context())
    assert fields(result) == {"candidates": []}
    assert "finclaw data import" in result.warnings[0]


def test_a_store_that_is_a_directory_is_named(context: Context, home: Path) -> None:
    (home / "market.db").mkdir(parents=True)
    for tool in (get_quote, get_price_history, find_symbol):
        with pytest.raises(ToolError, match=r"NOT_CONFIGURED: .*market\.db is a directory"):
            tool("ACME", context())


def test_an_unknown_currency_is_refused_with_near_ones(context: Context) -> None:
    with pytest.raises(ToolError, match=r"BAD_INPUT: .*'USQ'.*USD"):
        convert_currency(Decimal(1), "USQ", "EUR", context())
