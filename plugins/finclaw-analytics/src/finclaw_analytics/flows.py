"""Cash flows as they are given, checked and in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext

from finclaw_analytics.daycount import DayCount, year_fraction
from finclaw_analytics.numbers import bad_input, decimal_within, not_enough

Flow = tuple[date, Decimal]

_MOST = 5_000
_LARGEST = Decimal(10) ** 15
_PLACES = Decimal("1e-10")


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Amounts and their times in years (or in periods) from the first one, rising; `days` where they are dated."""

    amounts: tuple[Decimal, ...]
    times: tuple[float, ...]
    days: tuple[date, ...] = ()

    @property
    def floats(self) -> list[float]:
        return [float(amount) for amount in self.amounts]


def by_date(flows: Sequence[Flow], day_count: DayCount) -> Schedule:
    """Flows by date; several on one day are kept apart.

    Raises:
        ToolError: BAD_INPUT or NOT_ENOUGH_DATA.
    """
    ordered = sorted(flows, key=lambda flow: flow[0])
    amounts = checked([amount for _, amount in ordered])
    first = ordered[0][0]
    times = tuple(year_fraction(first, day, day_count) for day, _ in ordered)
    return Schedule(amounts=amounts, times=times, days=tuple(day for day, _ in ordered))


def periodic(amounts: Sequence[Decimal]) -> Schedule:
    """Amounts one period apart, the first one now.

    Raises:
        ToolError: BAD_INPUT or NOT_ENOUGH_DATA.
    """
    return Schedule(amounts=checked(amounts), times=tuple(float(step) for step in range(len(amounts))))


def checked(amounts: Sequence[Decimal]) -> tuple[Decimal, ...]:
    """Amounts that can be reckoned with.

    Raises:
        ToolError: BAD_INPUT or NOT_ENOUGH_DATA.
    """
    if not amounts:
        raise not_enough("needs cash flows, had none")
    if len(amounts) > _MOST:
        raise bad_input(f"{len(amounts)} cash flows are more than {_MOST}")
    return tuple(decimal_within("amount", amount, -_LARGEST, _LARGEST) for amount in amounts)


def present_value(schedule: Schedule, rate: Decimal) -> Decimal:
    """Sum of amount / (1 + rate)^time, at 40 digits, rounded to 10 decimal places.

    Args:
        schedule: amounts and times.
        rate: per unit of the times, above -1.
    """
    with localcontext(prec=40):
        growth = 1 + rate
        terms = (
            amount / growth ** Decimal(time) for amount, time in zip(schedule.amounts, schedule.times, strict=True)
        )
        total = sum(terms, Decimal(0))
        return total.quantize(_PLACES) if total.adjusted() < 28 else total  # noqa: PLR2004 - 40 digits less 10 places and 2 to spare
