"""`get_series`: economic series as they were known on a day."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from finclaw_cli.sdk import FinanceResult, Method, Source, ToolContext, no_data, tool
from finclaw_cli.sdk.periods import known_days
from finclaw_market.bars import as_json_number, exact_text
from finclaw_market.live import bring_series
from finclaw_market.observations import Observation, SeriesFacts, series_shelf
from finclaw_market.problems import StoreProblem
from finclaw_market.results import Cap, cap_for, checked_symbol
from finclaw_market.sessions import today

_MAX_ROWS = 2_000
_CANDIDATES = 5
_HOW = "finclaw data import FILE --kind series"


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    timeout=15,
    examples=({"series": "US.CPI", "start": "2008-01-01", "limit": 8},),
)
def get_series(
    series: str,
    ctx: ToolContext,
    *,
    start: date | None = None,
    end: date | None = None,
    period: str | None = None,
    as_of: date | None = None,
    limit: int = 60,
) -> FinanceResult:
    """An economic series (GDP, inflation, interest rates) from the local store: a summary and its latest values.

    Args:
        series: exact id, e.g. "US.CPI", "CPIAUCSL"; an unknown one is answered with others.
        ctx: given by finclaw.
        start: first date.
        end: last date.
        period: e.g. "last month", "2024-Q1".
        as_of: values as known on this date, before later revisions.
        limit: latest rows, to 2000.
    """
    if not 0 <= limit <= _MAX_ROWS:
        raise no_data(f"limit {limit} is not between 0 and {_MAX_ROWS}", code="BAD_INPUT")
    wanted, cap = checked_symbol(series), cap_for(ctx, as_of)
    notes = bring_series(ctx, wanted, cap.day, today())
    cap = replace(cap, warnings=(*cap.warnings, *notes))
    facts, observed, sources = _read(wanted, ctx, cap)
    asked = known_days(ctx, period, start, end, as_of)
    first, last = asked.start or date.min, min(asked.end or cap.day, cap.day)
    if first > last:
        raise no_data(f"start {first} is after the end, {last}", code="BAD_INPUT")
    chosen = [item for item in observed if first <= item.day <= last]
    known = [item for item in chosen if item.value is not None]
    if not known:
        window = f"from {first} to {last}" if asked.start else f"up to {last}"
        raise no_data(f"{wanted} has no values {window} that were known on {cap.day}{_range(observed)}")
    if as_of is not None:
        _check_vintages(wanted, chosen, cap)
    return replace(_answer(facts, cap, chosen, sources, limit), period=asked.period)


def _check_vintages(wanted: str, chosen: Sequence[Observation], cap: Cap) -> None:
    """Refuse values that were retrieved later, where nothing shows since when they were known."""
    if any(item.known_from for item in chosen) or all(item.retrieved <= cap.day.isoformat() for item in chosen):
        return
    why = "when its values became known was not imported, so earlier vintages are not known"
    raise no_data(f"{wanted} has no vintages: {why}; ask without as_of")


def _read(wanted: str, ctx: ToolContext, cap: Cap) -> tuple[SeriesFacts, list[Observation], tuple[Source, ...]]:
    try:
        with series_shelf(ctx.home) as shelf:
            listed = {facts.id: facts for facts in shelf.facts(cap_for(ctx, None).day)}
            if wanted not in listed:
                near = difflib.get_close_matches(wanted, listed, n=_CANDIDATES, cutoff=0.3) or sorted(listed)
                shown = ", ".join(near[:_CANDIDATES])
                raise no_data(
                    f"there is no series {wanted}; there are: {shown}; more by: {_HOW}", code="UNKNOWN_SYMBOL"
                )
            observed = shelf.observed(wanted, cap.day)
            return listed[wanted], observed, shelf.sources(observed)
    except StoreProblem as error:
        raise no_data(str(error), code="NOT_CONFIGURED") from None


def _range(observed: Sequence[Observation]) -> str:
    return f"; known then: {observed[0].day} to {observed[-1].day}" if observed else ""


def _answer(
    facts: SeriesFacts, cap: Cap, chosen: list[Observation], sources: tuple[Source, ...], limit: int
) -> FinanceResult:
    shown = chosen[len(chosen) - limit :] if limit < len(chosen) else chosen
    dated = any(item.known_from for item in chosen)
    unit = facts.unit or "not stated"
    return FinanceResult(
        data={
            "series": facts.id,
            **({"name": facts.name} if facts.name else {}),
            "summary": _summary([item for item in chosen if item.value is not None], len(chosen)),
            "columns": ["date", "value", *(["known_from"] if dated else [])],
            "rows": [[item.day, exact_text(item.value), *([item.known_from] if dated else [])] for item in shown],
        },
        as_of=chosen[-1].day.isoformat(),
        units={"value": unit, "change": unit, "change_fraction": "1"},
        method=Method(name="series", convention=f"values as known on {cap.day}, dated as in the source", n=len(chosen)),
        sources=sources,
        warnings=(*cap.warnings, *_warnings(facts, cap, chosen)),
        truncated=len(shown) < len(chosen),
    )


def _summary(known: list[Observation], count: int) -> dict[str, object]:
    values = [(item.value, item.day) for item in known if item.value is not None]
    (first, first_day), (last, last_day) = values[0], values[-1]
    low, high = min(values), max(values)
    moved = {"change_fraction": as_json_number((last - first) / first)} if first > 0 else {}
    return {
        "first": {"date": first_day, "value": exact_text(first)},
        "last": {"date": last_day, "value": exact_text(last)},
        "change": exact_text(last - first),
        **moved,
        "min": {"date": low[1], "value": exact_text(low[0])},
        "max": {"date": high[1], "value": exact_text(high[0])},
        "n": len(values),
        "missing": count - len(values),
    }


def _warnings(facts: SeriesFacts, cap: Cap, chosen: list[Observation]) -> tuple[str, ...]:
    found: list[str] = []
    if facts.unit is None:
        found.append("the import did not say the unit (finclaw data import --unit)")
    if any(not item.known_from and item.retrieved > cap.day.isoformat() for item in chosen):
        found.append(
            f"imported after {cap.day} without the dates from which values were known: they may have been published "
            "or revised after it"
        )
    return tuple(found)
