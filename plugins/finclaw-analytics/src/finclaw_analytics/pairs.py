"""Pairs of a date and a number, as the tools take them: `["2024-01-31", "100.50"]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from finclaw_analytics.numbers import bad_input, decimal_within
from finclaw_cli.sdk.render import quoted

Pair = list[Decimal | str | None]
Pairs = list[Pair]

_MOST = 20_000
_LARGEST = Decimal(10) ** 15
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER = re.compile(r"[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,2})?")


def dated_amounts(pairs: Sequence[Pair], name: str) -> list[tuple[date, Decimal]]:
    """Dates with a number each, in the order given.

    Raises:
        ToolError: BAD_INPUT, naming the pair.
    """
    found = []
    for day, amount in dated(pairs, name):
        if amount is None:
            raise bad_input(f"{name}: the number of {day} is missing")
        found.append((day, amount))
    return found


def dated(pairs: Sequence[Pair], name: str) -> list[tuple[date, Decimal | None]]:
    """Dates with a number or None each, in the order given.

    Raises:
        ToolError: BAD_INPUT, naming the pair.
    """
    if len(pairs) > _MOST:
        raise bad_input(f"{name} has {len(pairs)} pairs; at most {_MOST}")
    return [_read(pair, f"{name}[{position}]") for position, pair in enumerate(pairs)]


def _read(pair: Pair, name: str) -> tuple[date, Decimal | None]:
    if len(pair) != 2:  # noqa: PLR2004 - a pair
        raise bad_input(f"{name} has {len(pair)} parts; it is a date and a number")
    return _day(pair[0], name), None if pair[1] is None else _amount(pair[1], name)


def _day(given: Decimal | str | None, name: str) -> date:
    if isinstance(given, str) and _DATE.fullmatch(given):
        try:
            return date.fromisoformat(given)
        except ValueError:
            pass
    raise bad_input(f"{name}: {quoted(str(given))} is not a date like 2024-01-31")


def _amount(given: Decimal | str, name: str) -> Decimal:
    if isinstance(given, str) and not _NUMBER.fullmatch(given):
        raise bad_input(f"{name}: {quoted(given)} is not a decimal number")
    return decimal_within(name, Decimal(given), -_LARGEST, _LARGEST)
