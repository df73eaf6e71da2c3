"""`get_price_history`: a stretch of prices, as few numbers as answer the question."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.periods import AskedDays, known_days
from finclaw_market.adjust import LABELS, split_warning
from finclaw_market.bars import Wanted, exact_text
from finclaw_market.results import PRICES_NEEDED, cite, instrument_of, mixed_warning, price_unit, unit_warnings
from finclaw_market.series import DAILY_DAYS, Interval, Period, periods, summary, typical_gap
from finclaw_market.window import Window, read_window

_MAX_ROWS = 2_000
_PRICES = ("open", "high", "low", "close")


@tool(group="finance", read_only=True, idempotent=True, timeout=15, needs=PRICES_NEEDED)
def get_price_history(
    symbol: str,
    ctx: ToolContext,
    *,
    start: date | None = None,
    end: date | None = None,
    period: str | None = None,
    as_of: date | None = None,
    interval: Interval = "day",
    adjustment: Wanted = "as_stored",
    limit: int = 60,
) -> FinanceResult:
    """Stored prices of one instrument: a summary of the window and its latest rows.

    Args:
        symbol: exact symbol, e.g. "AAPL" or "005930.KS"; see find_symbol.
        ctx: given by finclaw.
        start: first date.
        end: last date.
        period: e.g. "last month", "2024-Q1".
        as_of: answer as of this date.
        interval: rows are dated by their last session.
        adjustment: none: as traded; total: with splits and dividends.
        limit: latest rows, to 2000; the summary is of the whole window.
    """
    if not 0 <= limit <= _MAX_ROWS:
        raise no_data(f"limit {limit} is not between 0 and {_MAX_ROWS}", code="BAD_INPUT")
    asked = known_days(ctx, period, start, end, as_of)
    return _answer(read_window(symbol, ctx, (asked.start, asked.end, as_of), (adjustment,)), asked, interval, limit)


def _answer(window: Window, asked: AskedDays, interval: Interval, limit: int) -> FinanceResult:
    grouped = periods(window.bars, interval, start=asked.start, seen_until=min(window.last, window.cap.day))
    shown = grouped[len(grouped) - limit :] if limit < len(grouped) else grouped
    return FinanceResult(
        data=_data(window, grouped, shown, interval),
        as_of=window.bars[-1].day.isoformat(),
        instrument=instrument_of(window.item),
        tz=window.item.tz,
        calendar=window.calendar.name,
        sessions_behind=window.calendar.sessions_after(window.bars[-1].day, window.last),
        units=_units(window, grouped),
        adjustment=window.adjustment,
        method=Method(name="price_history", convention=window.series.convention, n=len(window.bars)),
        sources=cite(window.sources, window.bars),
        warnings=_warnings(window, grouped, interval),
        truncated=len(shown) < len(grouped),
        period=asked.period,
    )


def _units(window: Window, grouped: list[Period]) -> dict[str, str]:
    price = price_unit(window.item)
    columns = {name: "shares" if name == "volume" else price for name in _known(grouped)}
    total = {"total_return": "1, by the source's adjusted close"} if _total_return(window) else {}
    return {**columns, "change": price, "change_fraction": "1", **total}


def _data(window: Window, grouped: list[Period], shown: list[Period], interval: Interval) -> dict[str, object]:
    columns = _columns(grouped, interval)
    data: dict[str, object] = {
        "interval": interval,
        "summary": {
            **summary(window.bars, window.calendar, comparable=not (_split_warning(window) or window.suspicions)),
            **_total_return(window),
        },
        "columns": columns,
        "rows": [[_cell(period, column) for column in columns] for period in shown],
    }
    if partial := [period.bar.day for period in grouped if period.partial]:
        data["partial"] = partial
    return data


def _total_return(window: Window) -> dict[str, object]:
    """What dividends add, where the prices that are shown are without them and the file knows."""
    if window.total_return is None or window.suspicions or window.series.label == LABELS["total"]:
        return {}
    return {"total_return": window.total_return}


def _split_warning(window: Window) -> tuple[str, ...]:
    return split_warning(window.series.label, window.bars)


def _columns(grouped: list[Period], interval: Interval) -> list[str]:
    return ["date", *_known(grouped)] if interval == "day" else ["date", *_known(grouped), "sessions"]


def _known(grouped: list[Period]) -> list[str]:
    """The values that the data has at all."""
    return [name for name in (*_PRICES, "volume") if any(getattr(period.bar, name) is not None for period in grouped)]


def _cell(period: Period, column: str) -> object:
    if column == "date":
        return period.bar.day
    if column == "sessions":
        return period.sessions
    value: Decimal | None = getattr(period.bar, column)
    if column == "volume" and value is not None and value == value.to_integral_value():
        return int(value)
    return exact_text(value)


def window_warnings(window: Window) -> tuple[str, ...]:
    """The warnings of an answer from these bars."""
    gap = typical_gap([bar.day for bar in window.bars])
    rare = (f"the stored series is not daily: {gap} days from bar to bar",) if gap > DAILY_DAYS else ()
    return (
        *window.cap.warnings,
        *window.series.warnings,
        *_split_warning(window),
        *window.suspicions,
        *((window.remedy,) if window.remedy else ()),
        *window.payout_doubts,
        *unit_warnings(window.item),
        *mixed_warning(window.sources),
        *rare,
    )


def _warnings(window: Window, grouped: list[Period], interval: Interval) -> tuple[str, ...]:
    withheld = ("no return is given across what is probably an error",) if window.suspicions else ()
    without = ("no total return is given: its dividends are probably wrong",) if window.payout_doubts else ()
    cut = any(period.partial for period in grouped)
    partial = (f"a {interval} in `partial` is not complete within the window",) if cut else ()
    return (*window_warnings(window), *withheld, *without, *partial)
