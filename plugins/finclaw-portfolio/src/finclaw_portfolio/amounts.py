"""How amounts leave this package: exact until they are shown, as decimal strings of their currency."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from finclaw_analytics.numbers import bad_input, stat
from finclaw_analytics.rational import to_decimal
from finclaw_cli.sdk.render import shortest_number
from finclaw_cli.sdk.tabular import BadOption
from finclaw_market.currencies import decimals_of, normal_code, rounded


def currency_code(given: str | None) -> str | None:
    """The one form of a currency code.

    Raises:
        ToolError: BAD_INPUT: it is none.
    """
    try:
        return None if given is None else normal_code(given)
    except BadOption as error:
        raise bad_input(str(error)) from None


def money(amount: Fraction | None, currency: str) -> str | None:
    """An amount to the decimals of its currency."""
    return None if amount is None else f"{rounded(to_decimal(amount), currency):f}"


def number(value: Fraction) -> str:
    """A quantity or a price, exact where that is possible."""
    return shortest_number(to_decimal(value))


def part(value: Fraction | None, whole: Fraction | None) -> float | None:
    """A part of a whole; None where one is not known, or the whole is zero."""
    return None if value is None or not whole else stat(float(value / whole))


def rounded_parts(amounts: Mapping[str, Fraction], currency: str) -> dict[str, str]:
    """Amounts to the decimals of their currency, so that they sum to the rounded sum (largest remainders go up)."""
    decimals = decimals_of(currency)
    if decimals is None:
        return {name: money(amount, currency) or "0" for name, amount in amounts.items()}
    unit = Fraction(1, 10**decimals)
    total = Fraction(money(sum(amounts.values(), Fraction(0)), currency) or 0)
    floors = {name: amount // unit * unit for name, amount in amounts.items()}
    left = int((total - sum(floors.values(), Fraction(0))) / unit)
    raised = sorted(amounts, key=lambda name: floors[name] - amounts[name])[:left]
    return {name: money(floors[name] + (unit if name in raised else 0), currency) or "0" for name in amounts}
