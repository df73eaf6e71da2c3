"""Exchange rates that the user imported, for pairs and days that the European Central Bank's file has not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from finclaw_cli.sdk import Source, no_data
from finclaw_market.bars import significant
from finclaw_market.held import held_date, held_price
from finclaw_market.problems import StoreProblem
from finclaw_market.store import holds_series, reading

# Monthly rates are valid for the month.
MAX_DAYS_BACK = 31
_DIGITS = 12
_FIND = """
SELECT r.base, r.rate, r.date, r.line, s.kind, s.ref, s.sha256, s.retrieved_at, s.licence
FROM fx_rates r JOIN sources s ON s.id = r.source_id
WHERE ((r.base = :base AND r.quote = :quote) OR (r.base = :quote AND r.quote = :base))
AND r.date BETWEEN :first AND :last ORDER BY r.date DESC, r.base = :base DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRate:
    """Units of the second currency for one of the first, as imported or as the inverse of what was imported."""

    rate: Decimal
    day: date
    inverse: bool
    source: Source


def user_rate(home: Path, pair: tuple[str, str], wanted: date, *, days_back: int) -> UserRate | None:
    """The latest imported rate of a pair up to a date, at most `days_back` days before it.

    Raises:
        ToolError: the store cannot be read.
    """
    base, quote = pair
    first = max(wanted.toordinal() - days_back, 1)
    asked = {"base": base, "quote": quote, "first": date.fromordinal(first).isoformat(), "last": wanted.isoformat()}
    try:
        with reading(home) as stored:
            row = stored.execute(_FIND, asked).fetchone() if stored and holds_series(stored) else None
        return _rate_of(row, pair) if row else None
    except StoreProblem as error:
        raise no_data(str(error), code="NOT_CONFIGURED") from None


def _rate_of(row: tuple[str, ...], pair: tuple[str, str]) -> UserRate:
    found, rate, day, line, kind, ref, sha256, retrieved_at, licence = row
    named = f"rate {'/'.join(pair)} on {day}"
    number = held_price(rate, named)
    return UserRate(
        rate=number if found == pair[0] else significant(1 / number, _DIGITS),
        day=held_date(day, f"the date of a {named}"),
        inverse=found != pair[0],
        source=Source(
            id="s1",
            kind=kind,
            ref=ref,
            sha256=sha256,
            rows=str(line),
            retrieved_at=retrieved_at,
            licence=licence,
        ),
    )
