"""The one shape in which a finance tool answers: numbers with their units, their date and their source."""

from __future__ import annotations

from dataclasses import field, fields

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.json_text import JsonObject, JsonValue, jsonable
from finclaw_cli.core.record import record

# Ends each error about missing data, so that no model fills the gap by itself.
DO_NOT_ESTIMATE = "Report this as unavailable; do not estimate."


@record(kw_only=True)
class Instrument:
    """What the numbers are about."""

    symbol: str
    name: str | None = None
    exchange: str | None = None
    currency: str | None = None

    def to_json(self) -> JsonObject:
        return _known(self)


@record(kw_only=True)
class Method:
    """How a number was computed: its name, its convention in words, and from how many observations."""

    name: str
    convention: str
    n: int | None = None

    def to_json(self) -> JsonObject:
        return _known(self)


@record(kw_only=True)
class Source:
    """Where the numbers come from, precisely enough to look them up again."""

    id: str
    kind: str
    """`file`, `service`, `filing`, `synthetic`, …"""
    ref: str
    sha256: str | None = None
    rows: str | None = None
    retrieved_at: str | None = None
    licence: str | None = None

    def to_json(self) -> JsonObject:
        return _known(self)


@record(kw_only=True)
class Period:
    """The days, `YYYY-MM-DD`, that the words of a period were read as; both are included."""

    words: str
    start: str
    end: str

    def to_json(self) -> JsonObject:
        return _known(self)


@record(kw_only=True)
class FinanceResult:
    """The answer of a finance tool.

    `data` holds the numbers: money and prices as decimal strings, fractions instead of percent, counts as ints, dates
    as session dates `YYYY-MM-DD`. `units` names the unit of each field. `sessions_behind` counts the trading sessions
    between `as_of` and the date asked for. `period` has the days that the words of a period were read as.
    """

    data: object
    as_of: str | None = None
    instrument: Instrument | None = None
    tz: str | None = None
    calendar: str | None = None
    sessions_behind: int | None = None
    units: dict[str, str] = field(default_factory=dict)
    adjustment: str | None = None
    method: Method | None = None
    sources: tuple[Source, ...] = ()
    warnings: tuple[str, ...] = ()
    truncated: bool = False
    period: Period | None = None

    def to_json(self) -> JsonObject:
        """Plain JSON without the keys that say nothing; Decimals as strings, NaN as null."""
        return _known(self)


def _known(value: Instrument | Method | Source | Period | FinanceResult) -> JsonObject:
    """The fields that say something."""
    named: list[tuple[str, JsonValue]] = [(item.name, jsonable(getattr(value, item.name))) for item in fields(value)]
    return {name: item for name, item in named if (item not in (None, [], {}) and item is not False) or name == "data"}


def no_data(message: str, *, code: str = "NO_DATA") -> ToolError:
    """A ToolError in the agreed form: a code first, the advice not to estimate last."""
    return ToolError(f"{code}: {message.rstrip('.')}. {DO_NOT_ESTIMATE}")
