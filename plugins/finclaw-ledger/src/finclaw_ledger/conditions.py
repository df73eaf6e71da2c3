"""Conditions of SQL on amounts and texts of bookings, exact where SQLite's own comparisons are not."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import lru_cache
from typing import Literal

from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.wording import private

_PLACES = range(9)
_GREATEST = 2**62
_WHOLE = Context(prec=60)
Value = str | int | float | None
_TEXTS = ("payee", "memo", "category", "symbol")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of SQL, and the values of its parameters."""

    text: str
    values: tuple[Value, ...] = ()


def register(connection: sqlite3.Connection) -> None:
    """Add the functions that the conditions use to a connection."""
    connection.create_function("finclaw_size_is", 3, _size_is, deterministic=True)
    connection.create_function("finclaw_shows", 2, _shows, deterministic=True)


def size_is(comparison: Literal[">=", "<="], size: Decimal) -> Condition:
    """The condition that an amount without its sign is at least, or at most, a size."""
    rounding = ROUND_CEILING if comparison == ">=" else ROUND_FLOOR
    units = [size.scaleb(place, _WHOLE).to_integral_value(rounding) for place in _PLACES]
    cases = " ".join(f"WHEN {place} THEN abs(units) {comparison} ?" for place in _PLACES)
    exact = f"finclaw_size_is(amount, '{comparison}', ?)"
    values = [min(max(int(one), -1), _GREATEST) for one in units]
    return Condition(f"CASE digits {cases} ELSE {exact} END", (*values, plain_number(size)))


def has_text(text: str) -> Condition:
    """The condition that a text is part of payee, memo, category or symbol as they are shown.

    What is hidden from results cannot be searched for, either. SQLite compares ASCII letters without their case; rows
    with other letters are compared here.
    """
    wanted = text.strip().casefold()
    others = " OR ".join(
        f"(length(CAST({name} AS BLOB)) > length({name}) AND finclaw_shows({name}, ?))" for name in _TEXTS
    )
    condition = f"(NOT is_ascii AND ({others}))"  # tested once for a row, and not for each of its texts
    if not wanted.isascii():
        return Condition(condition, (wanted,) * len(_TEXTS))
    escaped = wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    # A tenth of the time goes into an escape character.
    like = "LIKE ?" if escaped == wanted else "LIKE ? ESCAPE '\\'"
    plain = " OR ".join(f"({name} {like} AND finclaw_shows({name}, ?))" for name in _TEXTS)
    return Condition(f"({plain} OR {condition})", (f"%{escaped}%", wanted) * len(_TEXTS) + (wanted,) * len(_TEXTS))


def _size_is(amount: str, comparison: str, size: str) -> bool:
    left, right = abs(Decimal(amount)), Decimal(size)
    return left >= right if comparison == ">=" else left <= right


# Books name the same payees again and again.
@lru_cache(maxsize=16_384)
def _shows(text: str | None, wanted: str) -> bool:
    return text is not None and wanted in private(text).casefold()
