from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from data_service import KEY, Service

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_market.keyed import import_table
from finclaw_market.macro import get_series
from finclaw_market.options import ImportOptions
from finclaw_market.series_files import SERIES

Run = Callable[..., tuple[int, str, str]]
OBSERVED = [
    ("2023-10-01", "2024-01-25", "27938.831"),
    ("2023-10-01", "2024-02-28", "27944.627"),
    ("2024-01-01", "2024-04-25", "."),
]


@pytest.fixture
def live(context: Callable[..., ToolContext], now: Callable[[date], None]) -> ToolContext:
    now(date(2024, 6, 1))
    return replace(context(), settings={"live": ["fred"]})


def data(result: Any) -> dict[str, Any]:
    return dict(result.data)


def test_a_fetched_series_has_its_vintages_its_unit_and_a_source_without_the_key(
    run: Run, service: Service, context: Callable[..., ToolContext]
) -> None:
    service.series(OBSERVED)
    code, out, _ = run("fetch", "fred", "gdp")
    assert (code, out) == (0, "GDP: 3 rows, 2023-10-01 to 2024-01-01: 3 new, 0 changed, 0 unchanged\n")
    early = get_series("GDP", context(), as_of=date(2024, 2, 1))
    assert data(early)["rows"] == [[date(2023, 10, 1), "27938.831", "2024-01-25"]]
    late = get_series("GDP", context(), as_of=date(2024, 5, 1))
    assert data(late)["rows"][-1] == [date(2024, 1, 1), None, "2024-04-25"]
    assert late.units["value"] == "Billions of Dollars"
    source = late.sources[0]
    assert (source.kind, source.ref) == ("service", f"{service.url}/fred/series/observations?series_id=GDP")
    assert service.asked[1][1]["realtime_start"] == "1776-07-04"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("bad-key", "NOT_CONFIGURED: FRED does not accept the key in FRED_API_KEY"),
        ("unknown", "UNKNOWN_SYMBOL: FRED does not know GDP: .*does not exist. .key."),
        ("429", "RATE_LIMITED: .*retry_after: 17 s"),
        ("403-page", "NO_DATA: FRED refuses"),
        ("200-page", "NO_DATA: FRED answered with an HTML page"),
        ("truncated", "NO_DATA: FRED answered with JSON that is damaged"),
        ("reset", "NO_DATA: FRED gave no whole answer .RemoteProtocolError"),
    ],
)
def test_no_failure_shows_the_key(live: ToolContext, service: Service, home: Path, fault: str, words: str) -> None:
    service.series(OBSERVED)
    service.faults = [fault]
    with pytest.raises(ToolError, match=words) as caught:
        get_series("GDP", live)
    assert KEY not in str(caught.value)
    assert not (home / "market.db").exists()


def test_without_a_key_nothing_is_asked(live: ToolContext, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FRED_API_KEY")
    with pytest.raises(ToolError, match="NOT_CONFIGURED: FRED_API_KEY is not set"):
        get_series("GDP", live)
    assert service.asked == []


def test_a_series_with_too_many_vintages_comes_without_them_and_that_is_said(run: Run, service: Service) -> None:
    service.series([("2024-01-02", "2024-06-01", "3.95"), ("2024-01-03", "2024-06-01", "3.91")])
    service.faults = ["", "vintages"]
    code, out, err = run("fetch", "fred", "DGS10")
    assert (code, "2 new" in out, "too many vintages" in err) == (0, True, True)


def test_the_packaged_series_and_the_user_s_own_are_never_asked_for(
    live: ToolContext, service: Service, run: Run, file: Callable[..., Path]
) -> None:
    run("import", file("date,GDP\n2024-01-01,1\n"), "--kind", "series")
    assert get_series("GDP", live).sources[0].kind == "file"
    assert get_series("US.CPI", live).sources[0].kind == "package"
    assert run("fetch", "fred", "GDP")[0] == 2
    assert service.asked == []


def test_the_user_s_own_series_that_comes_while_a_service_answers_is_left_as_it_is(
    live: ToolContext, service: Service, run: Run, home: Path, file: Callable[..., Path]
) -> None:
    own = file("date,GDP\n2024-01-01,1\n")
    service.series(OBSERVED)
    service.meanwhile = lambda: import_table([own], home, SERIES, ImportOptions())
    code, _, err = run("fetch", "fred", "GDP")
    assert (code, "from your own file prices.csv" in err) == (2, True)
    assert [source.kind for source in get_series("GDP", live).sources] == ["file"]


def test_a_series_is_fetched_on_a_miss(live: ToolContext, service: Service) -> None:
    service.series(OBSERVED)
    assert get_series("GDP", live).sources[0].kind == "service"
    get_series("GDP", live)
    assert [path for path, _ in service.asked] == ["/fred/series", "/fred/series/observations"]


@pytest.mark.parametrize(
    "facts", [[1, {"title": "Other", "units": "Other"}], [], {}, None, [{"title": 1, "units": []}]]
)
def test_a_series_whose_name_and_unit_cannot_be_read_is_stored_without_them(
    live: ToolContext, service: Service, facts: Any
) -> None:
    service.series(OBSERVED)
    service.answers["/fred/series"] = (200, {"seriess": facts})
    found = get_series("GDP", live)
    assert "name" not in data(found)
    assert found.units["value"] == "not stated"


@pytest.mark.parametrize(
    "body", [{}, [], {"observations": {}}, {"observations": [1]}, {"observations": [{"date": "x"}]}]
)
def test_an_answer_of_another_shape_is_an_error(live: ToolContext, service: Service, body: Any) -> None:
    service.series(OBSERVED)
    service.answers["/fred/series/observations"] = (200, body)
    with pytest.raises(ToolError, match="NO_DATA: FRED"):
        get_series("GDP", live)
