"""`plot_prices`: a chart of one instrument's closes, as text and as a file of the workspace."""

from __future__ import annotations

import re
from datetime import date
from typing import Literal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.periods import known_days
from finclaw_market.bars import Wanted
from finclaw_market.enclosed import write_own
from finclaw_market.history import window_warnings
from finclaw_market.results import PRICES_NEEDED, cite, instrument_of, price_unit
from finclaw_market.scales import Curve
from finclaw_market.window import Window, read_window

Format = Literal["svg", "png", "text"]


@tool(group="finance", requires_approval=True, idempotent=True, timeout=30, needs=PRICES_NEEDED)
def plot_prices(
    symbol: str,
    ctx: ToolContext,
    *,
    start: date | None = None,
    end: date | None = None,
    period: str | None = None,
    adjustment: Wanted = "as_stored",
    format: Format = "svg",  # noqa: A002 - what it is called for the model
    path: str | None = None,
) -> FinanceResult:
    """Draw the closes of one instrument: a file in the workspace and a text chart, or the text alone.

    Args:
        symbol: exact symbol; see find_symbol.
        ctx: given by finclaw.
        start: first date.
        end: last date.
        period: e.g. "last month", "2024-Q1".
        adjustment: as in get_price_history.
        format: svg, png, or text, which writes no file.
        path: file in the workspace.
    """
    from finclaw_market.braille import braille

    asked = known_days(ctx, period, start, end)
    window = read_window(symbol, ctx, (asked.start, asked.end, None), (adjustment,))
    curve = _curve(window)
    data: dict[str, object] = {"format": format, "n": len(curve.days), "chart": braille(curve)}
    if format != "text":
        name = path or _default_name(window, format)
        data |= {"file": name, "bytes": _written(ctx, name, curve, format)}
    return FinanceResult(
        data=data,
        as_of=window.bars[-1].day.isoformat(),
        instrument=instrument_of(window.item),
        tz=window.item.tz,
        calendar=window.calendar.name,
        units={"chart": price_unit(window.item)},
        adjustment=window.adjustment,
        method=Method(name="plot_prices", convention=f"closes by date; {window.series.convention}", n=len(curve.days)),
        sources=cite(window.sources, window.bars),
        warnings=window_warnings(window),
        period=asked.period,
    )


def _written(ctx: ToolContext, name: str, curve: Curve, format_: Literal["svg", "png"]) -> int:
    """Draw and write the file; how many bytes it has."""
    if not name.lower().endswith(f".{format_}"):
        raise no_data(f"path must end with .{format_}", code="BAD_INPUT")
    content = _drawn(curve, format_)
    write_own(ctx, name, content)
    return len(content)


def _drawn(curve: Curve, format_: Literal["svg", "png"]) -> bytes:
    if format_ == "svg":
        from finclaw_market.svg import svg

        return svg(curve).encode()
    from finclaw_market.png import png

    return png(curve)


def _curve(window: Window) -> Curve:
    item, bars = window.item, window.bars
    refs = ", ".join(source.ref for source in window.sources)
    return Curve(
        days=tuple(bar.day for bar in bars),
        values=tuple(float(bar.close) for bar in bars),
        title=f"{item.symbol}{f' · {item.name}' if item.name else ''}, {bars[0].day} to {bars[-1].day}",
        unit=f"close in {price_unit(item)}, adjustment: {window.adjustment}",
        source=f"Source: {refs}",
    )


def _default_name(window: Window, format_: str) -> str:
    symbol = re.sub(r"[^A-Z0-9]+", "-", window.item.symbol).strip("-") or "plot"
    return f"{symbol}-{window.bars[0].day}-{window.bars[-1].day}.{format_}"
