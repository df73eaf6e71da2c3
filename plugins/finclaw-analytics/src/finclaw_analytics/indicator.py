"""`indicator`: the usual technical indicators of a series, with how they warm up."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from finclaw_analytics.averages import Line, atr, bollinger, ema, macd, rsi, sma
from finclaw_analytics.numbers import bad_input, not_enough, price_text, stat, within
from finclaw_analytics.observed import Observed, Span, observed
from finclaw_analytics.pairs import Pairs
from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.periods import known_days

Name = Literal["sma", "ema", "rsi", "macd", "bollinger", "atr"]
Settings = dict[str, float]

_LONGEST = 500
_WIDEST = 100
_MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """An indicator: its settings, its columns, how it is computed and how many values come before the first."""

    settings: Settings
    columns: tuple[str, ...]
    compute: Callable[[Observed, Settings], tuple[Line, ...]]
    warm_up: Callable[[Settings], int]
    convention: str
    priced: bool = True


def _true_range(series: Observed, given: Settings) -> tuple[Line, ...]:
    if series.highs is None or series.lows is None:
        raise no_data("atr needs a high and a low for each day, and this series has closes only")
    return (atr(series.highs, series.lows, series.values, int(given["length"])),)


_RECIPES: dict[Name, Recipe] = {
    "sma": Recipe(
        settings={"length": 20},
        columns=("sma",),
        compute=lambda series, given: (sma(series.values, int(given["length"])),),
        warm_up=lambda given: int(given["length"]) - 1,
        convention="mean of the last `length` values",
    ),
    "ema": Recipe(
        settings={"length": 20},
        columns=("ema",),
        compute=lambda series, given: (ema(series.values, int(given["length"])),),
        warm_up=lambda given: int(given["length"]) - 1,
        convention="weight 2/(length+1), seeded with the simple mean of the first `length` values (as TA-Lib)",
    ),
    "rsi": Recipe(
        settings={"length": 14},
        columns=("rsi",),
        compute=lambda series, given: (rsi(series.values, int(given["length"])),),
        warm_up=lambda given: int(given["length"]),
        convention="Wilder: averages of gains and losses with weight 1/length, seeded with the mean of the first "
        "`length` changes; 0 to 100; null where nothing moved",
        priced=False,
    ),
    "macd": Recipe(
        settings={"fast": 12, "slow": 26, "signal": 9},
        columns=("macd", "signal", "histogram"),
        compute=lambda series, given: macd(series.values, *(int(given[key]) for key in ("fast", "slow", "signal"))),
        warm_up=lambda given: int(given["slow"]) + int(given["signal"]) - 2,
        convention="ema(fast) - ema(slow), both seeded with simple means that end on bar `slow` (as TA-Lib); signal = "
        "ema of it, seeded with the simple mean of its first `signal` values; histogram = macd - signal",
    ),
    "bollinger": Recipe(
        settings={"length": 20, "width": 2},
        columns=("lower", "middle", "upper"),
        compute=lambda series, given: bollinger(series.values, int(given["length"]), given["width"]),
        warm_up=lambda given: int(given["length"]) - 1,
        convention="sma(length) -/+ width × population std (ddof=0) of the same values",
    ),
    "atr": Recipe(
        settings={"length": 14},
        columns=("atr",),
        compute=_true_range,
        warm_up=lambda given: int(given["length"]),
        convention="Wilder: true range from the second bar on, weight 1/length, seeded with the mean of the first "
        "`length` true ranges",
    ),
}
_EXAMPLE = {
    "name": "sma",
    "values": [["2024-01-02", 10], ["2024-01-03", 11], ["2024-01-04", 12]],
    "params": {"length": 2},
}


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=(_EXAMPLE,))
def indicator(
    name: Name,
    ctx: ToolContext,
    *,
    symbol: str | None = None,
    values: Pairs | None = None,
    params: dict[str, float] | None = None,
    last: int = 30,
    period: str | None = None,
    as_of: date | None = None,
) -> FinanceResult:
    """A technical indicator of a stored symbol or of given values: its latest rows.

    Args:
        name: which one.
        ctx: given by finclaw.
        symbol: in the price store.
        values: instead, pairs of date and value, oldest first.
        params: length; macd: fast, slow, signal; bollinger: width.
        last: how many rows.
        period: of the rows, e.g. "last month".
        as_of: use nothing later.
    """
    within("last", last, 1, _MOST_ROWS)
    given = _settings(name, _RECIPES[name], params or {})
    asked = known_days(ctx, period, as_of=as_of)
    series = observed(symbol, values, ctx, Span(end=asked.end, as_of=as_of), least=1)
    return replace(_answer(name, given, series, last, asked.start or date.min), period=asked.period)


def _answer(name: Name, given: Settings, series: Observed, last: int, since: date) -> FinanceResult:
    """The latest rows, none before a day; what is before it only warms the indicator up."""
    recipe = _RECIPES[name]
    warm_up = recipe.warm_up(given)
    lines = recipe.compute(series, given)
    if len(series.values) <= warm_up:
        raise not_enough(f"{name} with {_listed(given)} needs {warm_up + 1} values, had {len(series.values)}")
    earliest = max(warm_up, bisect_left(series.days, since))
    if earliest == len(series.values):
        raise no_data(f"{series.label} has no values since {since}; the last is of {series.days[-1]}")
    first = max(earliest, len(series.values) - last)
    rows = [_row(series, lines, position, recipe) for position in range(first, len(series.values))]
    undefined = sum(row.count(None) for row in rows)
    return FinanceResult(
        data={"columns": ["date", "value", *recipe.columns], "rows": rows, "params": given, "warm_up": warm_up},
        as_of=series.as_of,
        instrument=series.instrument,
        tz=series.tz,
        calendar=series.calendar,
        sessions_behind=series.sessions_behind,
        units={"value": series.unit, **dict.fromkeys(recipe.columns, series.unit if recipe.priced else "0 to 100")},
        adjustment=series.adjustment,
        method=Method(
            name=name,
            convention=f"{recipe.convention}; {_listed(given)}; the first {warm_up} values only warm it up",
            n=len(series.values),
        ),
        sources=series.sources,
        warnings=(*series.warnings, *((f"{undefined} values are undefined: nothing moved",) if undefined else ())),
        truncated=first > earliest,
    )


def _settings(name: str, recipe: Recipe, given: Settings) -> Settings:
    if unknown := sorted(set(given) - set(recipe.settings)):
        raise bad_input(f"{name} has no setting {unknown[0][:32]!r}; it has {', '.join(recipe.settings)}")
    merged = {**recipe.settings, **given}
    for key, value in merged.items():
        if key == "width":
            within(key, value, 0, _WIDEST)
        elif value != int(within(key, value, 2 if key in ("slow", "length") and name != "sma" else 1, _LONGEST)):
            raise bad_input(f"{key} {value:g} is not a whole number")
    if name == "macd" and merged["fast"] >= merged["slow"]:
        raise bad_input(f"fast {merged['fast']:g} is not below slow {merged['slow']:g}")
    return {key: value if key == "width" else int(value) for key, value in merged.items()}


def _row(series: Observed, lines: tuple[Line, ...], position: int, recipe: Recipe) -> list[object]:
    cells = [line[position] for line in lines]
    return [series.days[position], price_text(series.values[position]), *(_cell(cell, recipe) for cell in cells)]


def _cell(value: float | None, recipe: Recipe) -> object:
    if value is None:
        return None
    return price_text(value) if recipe.priced else stat(value)


def _listed(given: Settings) -> str:
    return ", ".join(f"{key} {value:g}" for key, value in given.items())
