"""Returns of a portfolio that money went into and out of: time-weighted, and modified Dietz."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from finclaw_analytics.numbers import bad_input, not_enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Values by date, oldest first, each before that day's flow; contributions by date, positive into the account."""

    values: tuple[tuple[date, float], ...]
    contributions: Mapping[date, float]

    @property
    def days(self) -> int:
        return (self.values[-1][0] - self.values[0][0]).days


def account(values: list[tuple[date, float]], flows: list[tuple[date, float]]) -> Account:
    """Put valuations and the investor's flows (negative: paid in) together.

    Raises:
        ToolError: BAD_INPUT or NOT_ENOUGH_DATA.
    """
    if len(values) < 2:  # noqa: PLR2004 - a beginning and an end
        raise not_enough("needs values: the account's worth at the start, at the end (and for twr on each flow's date)")
    for (earlier, _), (later, _) in pairwise(values):
        if later <= earlier:
            raise bad_input(f"values: {later} does not come after {earlier}; one value a day, oldest first")
    first, last = values[0][0], values[-1][0]
    contributions: dict[date, float] = {}
    for day, amount in flows:
        if not first <= day <= last:
            raise bad_input(f"the flow on {day} lies outside the values, {first} to {last}")
        contributions[day] = contributions.get(day, 0.0) - amount
    return Account(values=tuple(values), contributions=contributions)


def time_weighted(given: Account) -> float:
    """Product over the subperiods of value / (value before + contribution) - 1 (GIPS, true time-weighted return).

    Raises:
        ToolError: NOT_ENOUGH_DATA where a flow's date has no value, BAD_INPUT where nothing is invested.
    """
    known = {day for day, _ in given.values}
    if missing := sorted(set(given.contributions) - known):
        raise not_enough(f"twr needs the account's value before each flow; none is given for {missing[0]}")
    growth = 1.0
    for (start, before), (_, after) in pairwise(given.values):
        invested = before + given.contributions.get(start, 0.0)
        if invested <= 0 or after < 0:
            raise bad_input(f"the account is worth {invested:g} after the flow of {start}: no return is defined")
        growth *= after / invested
    return growth - 1


def modified_dietz(given: Account) -> float:
    """(end - start - contributions) / (start + contributions weighted by the share of the time that was left).

    Source: Dietz 1966, in the day-weighted form of the GIPS standards; flows count from the end of their day.

    Raises:
        ToolError: BAD_INPUT where the average capital is not above zero.
    """
    (first, start), (last, end) = given.values[0], given.values[-1]
    inside = {day: amount for day, amount in given.contributions.items() if day < last}
    days = (last - first).days
    average = start + sum(amount * (last - day).days / days for day, amount in inside.items())
    if average <= 0:
        raise bad_input(f"the average capital is {average:g}: no return is defined")
    return (end - start - sum(inside.values())) / average
