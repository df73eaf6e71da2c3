"""`calc`: arithmetic that is exact to the last digit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from finclaw_analytics.expression import FUNCTIONS, evaluate, number
from finclaw_analytics.numbers import bad_input
from finclaw_analytics.rational import SHOWN_DIGITS, WORKING_DIGITS, Number, to_decimal
from finclaw_cli.sdk import FinanceResult, Method, tool
from finclaw_cli.sdk.render import quoted, shortest_number

_MOST_VARIABLES = 100
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
_SHORT = 10**12
_LONGEST_RESULT = 100
_CONVENTION = (
    f"exact fractions for + - * / and whole powers; sqrt, ln, exp and other powers at {WORKING_DIGITS} digits; result "
    f"with all its digits where they end within {_LONGEST_RESULT}, else rounded half to even to {SHOWN_DIGITS} "
    "significant ones; `exact` is true where nothing was rounded or approximate; round() is half to even"
)
_LARGEST_RATE = 10
_HUNDRED = Number(Fraction(100))
_EXAMPLE = {"expression": "(new - old) / old", "variables": {"old": "80", "new": "92"}}


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=(_EXAMPLE,))
def calc(expression: str, *, variables: dict[str, Decimal] | None = None) -> FinanceResult:
    """Exact arithmetic; use it for every computed number.

    Args:
        expression: + - * / ** and sqrt, ln, exp, abs, min, max, sum, mean, round(x, places), change(old, new).
        variables: numbers by name.
    """
    found = evaluate(expression, _named(variables or {}))
    text, rounded = _written(found)
    data: dict[str, object] = {"result": text, "exact": found.exact and not rounded}
    if abs(found.value) <= _LARGEST_RATE:
        data["percent"] = _written(found * _HUNDRED)[0]
    if found.exact and _short(found.value):
        data["fraction"] = str(found.value)
    return FinanceResult(
        data=data,
        units={"percent": "% (result × 100)"},
        method=Method(name="calc", convention=_CONVENTION),
    )


def _named(variables: Mapping[str, Decimal]) -> dict[str, Number]:
    if len(variables) > _MOST_VARIABLES:
        raise bad_input(f"{len(variables)} variables are more than {_MOST_VARIABLES}")
    for name in variables:
        if not _NAME.fullmatch(name):
            raise bad_input(f"{quoted(name)} is not a name for a variable: letters, digits and _, at most 32")
        if name in FUNCTIONS:
            raise bad_input(f"{name} is a function; give the variable another name")
    return {name: number(value) for name, value in variables.items()}


def _short(value: Fraction) -> bool:
    """Whether it is a fraction that a person would read."""
    return value.denominator != 1 and max(abs(value.numerator), value.denominator) < _SHORT


def _written(found: Number) -> tuple[str, bool]:
    """The decimal digits of a number, and whether they had to be rounded."""
    whole = to_decimal(found.value, _LONGEST_RESULT)
    if found.exact and Fraction(whole) == found.value:
        return shortest_number(whole), False
    return shortest_number(to_decimal(found.value, SHOWN_DIGITS)), True
