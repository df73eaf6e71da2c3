from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from data_service import NOT_FOUND, Service, chart
from imports import closes
from market_days import weekdays

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_market.history import get_price_history
from finclaw_market.importer import import_files
from finclaw_market.options import ImportOptions
from finclaw_market.quotes import get_quote
from finclaw_market.staging import Facts

Run = Callable[..., tuple[int, str, str]]
DAYS = list(weekdays(date(2024, 1, 1), 6))
ROWS: list[tuple[date, float | None]] = [(day, 10.5 + n) for n, day in enumerate(DAYS)]


@pytest.fixture
def live(context: Callable[..., ToolContext], now: Callable[[date], None]) -> ToolContext:
    now(DAYS[-1] + timedelta(days=1))
    return replace(context(), settings={"live": ["yahoo"]})


def fetch(run: Run, *more: object) -> tuple[int, str, str]:
    return run("fetch", "yahoo", "acme", "--start", "2024-01-01", *more)


def test_fetched_prices_are_stored_with_the_service_as_source(
    run: Run, service: Service, context: Callable[..., ToolContext]
) -> None:
    service.prices(chart(ROWS, dividends={DAYS[2]: 0.01}))
    code, out, err = fetch(run)
    assert (code, out, err) == (0, "ACME: 6 rows, 2024-01-01 to 2024-01-08: 6 new, 0 changed, 0 unchanged\n", "")
    result = get_price_history("ACME", context(), limit=1)
    assert result.instrument is not None
    assert result.instrument.to_json() == {
        "symbol": "ACME", "name": "Acme Corp", "exchange": "XNYS", "currency": "USD",
    }  # fmt: skip
    source = result.sources[0]
    assert (source.kind, source.ref) == ("service", f"{service.url}/v8/finance/chart/ACME")
    assert (source.licence, source.retrieved_at is None) == ("Yahoo's terms: personal use only", False)
    assert (result.adjustment, result.tz) == ("split", "America/New_York")
    assert service.asked[0][1]["events"] == "div,splits"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("429", "RATE_LIMITED: .*retry_after: 17 s"),
        ("429-date", "RATE_LIMITED: .*retry_after: 1 s"),
        ("429-no-date", "RATE_LIMITED: .*retry_after: 60 s"),
        ("429-stacked", "RATE_LIMITED: .*retry_after: 60 s"),
        ("200-stacked", "NO_DATA: .* damaged or cut off"),
        ("403-page", "NO_DATA: Yahoo refuses to answer .status 403"),
        ("200-page", "NO_DATA: Yahoo answered with an HTML page instead of data .status 200"),
        ("500", "NO_DATA: Yahoo has an error of its own"),
        ("truncated", "NO_DATA: .* damaged or cut off"),
        ("nan", "NO_DATA: .* damaged or cut off"),
        ("redirect", "NO_DATA: Yahoo redirects to another address, which is refused .status 302"),
        ("redirect-json", "NO_DATA: Yahoo redirects to another address, which is refused .status 301"),
        ("reset", "NO_DATA: Yahoo gave no whole answer .RemoteProtocolError"),
    ],
)
def test_whatever_is_no_answer_is_an_error_and_nothing_is_stored(
    live: ToolContext, service: Service, home: Path, fault: str, words: str
) -> None:
    service.prices(chart(ROWS))
    service.faults = [fault]
    with pytest.raises(ToolError, match=words) as caught:
        get_quote("ACME", live)
    assert caught.value.outage
    assert not (home / "market.db").exists()


def test_a_service_that_asked_to_be_left_alone_is_left_alone(live: ToolContext, service: Service) -> None:
    service.prices(chart(ROWS))
    service.faults = ["429"]
    for _ in range(2):
        with pytest.raises(ToolError, match="RATE_LIMITED"):
            get_quote("ACME", live)
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (NOT_FOUND, "UNKNOWN_SYMBOL: Yahoo does not know ACME: No data found"),
        ({"chart": {"result": [], "error": None}}, "NO_DATA: Yahoo gave an empty answer"),
        ({"chart": {"result": None}}, "NO_DATA: Yahoo gave an empty answer"),
        ([], "NO_DATA: Yahoo gave an empty answer"),
        (chart([]), "NO_DATA: Yahoo has no finished sessions"),
        (chart(ROWS, symbol="OTHER"), "answered about another symbol"),
        (chart(ROWS, exchangeTimezoneName="../etc"), "names no time zone"),
    ],
)
def test_an_empty_or_wrong_answer_is_said_to_be_one(
    live: ToolContext, service: Service, home: Path, body: Any, words: str
) -> None:
    service.prices(body)
    with pytest.raises(ToolError, match=words):
        get_quote("ACME", live)
    assert not (home / "market.db").exists()


def test_a_split_in_the_middle_is_recorded_and_one_that_was_not_applied_is_found(run: Run, service: Service) -> None:
    service.prices(chart(ROWS, splits={DAYS[3]: 4}))
    assert fetch(run)[2] == ""
    jump: list[tuple[date, float | None]] = [(day, 40.0 if n < 3 else 10.0) for n, day in enumerate(DAYS)]
    service.prices(chart(jump, splits={DAYS[3]: 4}))
    code, out, err = fetch(run)
    assert (code, "6 changed" in out) == (0, True)
    assert "split_not_applied: prices should be adjusted, but jump with the split of 4" in err


def test_pence_stay_pence_and_are_called_so(run: Run, service: Service, context: Callable[..., ToolContext]) -> None:
    service.prices(chart(ROWS, symbol="VOD.L", currency="GBp", exchangeName="LSE"), symbol="VOD.L")
    code, _, err = run("fetch", "yahoo", "vod.l", "--start", "2024-01-01")
    assert (code, "prices are in GBp: 100 GBp are 1 GBP" in err) == (0, True)
    assert get_price_history("VOD.L", context(), limit=0).units["close"] == "GBp/share"
    service.prices(chart(ROWS, symbol="X.L", currency="GBP"), symbol="X.L")
    run("fetch", "yahoo", "X.L", "--start", "2024-01-01")
    assert get_price_history("X.L", context(), limit=0).units["close"] == "GBP/share"


def test_a_session_that_is_not_over_is_never_stored(run: Run, service: Service, home: Path) -> None:
    moment = datetime.now(UTC)
    today = moment.date()
    later = {"regular": {"start": 0, "end": int(moment.timestamp()) + 3600}}
    rows: list[tuple[date, float | None]] = [*ROWS, (today, 99.0)]
    service.prices(chart(rows, exchangeTimezoneName="UTC", currentTradingPeriod=later))
    _, _, err = fetch(run)
    assert f"{today}: the session is not over; left out" in err
    assert list(closes(home)) == DAYS


def test_holes_and_impossible_rows_are_left_out(run: Run, service: Service, home: Path) -> None:
    rows: list[tuple[date, float | None]] = [(DAYS[0], 10.0), (DAYS[1], None), (DAYS[2], -3.0), (DAYS[3], 11.0)]
    service.prices(chart(rows))
    code, _, err = fetch(run)
    assert (code, "rows that cannot be right are left out: 2024-01-03: close -3 " in err) == (0, True)
    assert closes(home) == {DAYS[0]: Decimal(10), DAYS[3]: Decimal(11)}


def test_nothing_goes_out_unless_the_settings_say_so(context: Callable[..., ToolContext], service: Service) -> None:
    with pytest.raises(ToolError, match="no prices have been imported yet"):
        get_quote("ACME", context())
    assert service.asked == []


def test_a_miss_is_fetched_once_and_then_answered_from_the_store(live: ToolContext, service: Service) -> None:
    service.prices(chart(ROWS))
    assert get_quote("ACME", live).sources[0].kind == "service"
    get_quote("ACME", live)
    get_price_history("ACME", live)
    assert len(service.asked) == 1


def test_what_is_behind_is_fetched_and_a_failure_is_said_beside_the_old_price(
    live: ToolContext, service: Service, run: Run
) -> None:
    service.prices(chart(ROWS[:4]))
    fetch(run)
    service.faults = ["200-page"]
    result = get_quote("ACME", live)
    assert result.as_of == str(DAYS[3])
    assert "newer data could not be fetched: NO_DATA: Yahoo answered with an HTML page" in result.warnings[0]


def test_the_user_s_own_prices_are_never_mixed_with_fetched_ones(
    live: ToolContext, service: Service, run: Run, file: Callable[..., Path]
) -> None:
    run("import", file("Date,Close\n2024-01-02,10\n"), "--symbol", "ACME", "--currency", "USD")
    service.prices(chart(ROWS))
    assert get_price_history("ACME", live).sources[0].kind == "file"
    code, _, err = fetch(run)
    assert (code, "from your own file prices.csv" in err) == (2, True)
    assert service.asked == []


def test_the_user_s_own_prices_that_come_while_a_service_answers_are_left_as_they_are(
    run: Run, service: Service, home: Path, file: Callable[..., Path]
) -> None:
    own = file("Date,Close\n2024-01-02,10\n")
    options = ImportOptions(symbol="ACME", facts=Facts(currency="USD"))
    service.prices(chart(ROWS))
    service.meanwhile = lambda: import_files([own], home, options)
    code, _, err = fetch(run)
    assert (code, "from your own file prices.csv" in err) == (2, True)
    assert closes(home) == {date(2024, 1, 2): Decimal(10)}


def test_a_run_of_the_past_sees_nothing_later(live: ToolContext, service: Service) -> None:
    service.prices(chart(ROWS))
    past = replace(live, as_of=DAYS[2])
    assert get_quote("ACME", past).as_of == str(DAYS[2])


@pytest.mark.parametrize("url", ["http://example.com", "ftp://127.0.0.1", "https://u:p@example.com", "https://"])
def test_a_stand_in_must_be_safe_to_ask(live: ToolContext, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("FINCLAW_YAHOO_URL", url)
    with pytest.raises(ToolError, match="NOT_CONFIGURED: FINCLAW_YAHOO_URL"):
        get_quote("ACME", live)


def test_wrong_settings_are_named(context: Callable[..., ToolContext]) -> None:
    with pytest.raises(ToolError, match=r"NOT_CONFIGURED: \[plugin.finclaw-market\] live"):
        get_quote("ACME", replace(context(), settings={"live": "yahoo"}))
