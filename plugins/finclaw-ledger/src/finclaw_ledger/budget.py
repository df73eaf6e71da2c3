"""`budget`: what was spent of each category's amount, and what is left of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, tool
from finclaw_cli.sdk.periods import AskedDays, Days, known_days, today_of, unit_around
from finclaw_cli.sdk.render import bounded, plain_number
from finclaw_ledger.allowances import CYCLES, Allowance, allowances
from finclaw_ledger.books import Books
from finclaw_ledger.coverage import covered_days
from finclaw_ledger.current_books import ask_books
from finclaw_ledger.numbers import EXACT, total
from finclaw_ledger.outlays import Outlays, outlays
from finclaw_ledger.results import BOOKS_NEEDED, cite, omissions
from finclaw_ledger.selection import Extent, Summary
from finclaw_ledger.transfers import CONVENTION as TRANSFERS

_CONVENTION = (
    "booking dates; spent = money out less money back of the category; left = budget - spent; used = spent / budget; "
    f"passed = days of the month, quarter or year up to the day / all its days; trades are left out; {TRANSFERS}"
)
_SHOWN_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cycle:
    """The month, quarter or year around a day, and what was booked in it up to the day."""

    label: str
    passed: float
    outlays: Outlays
    spent: Summary
    """What was spent, by currency and category."""
    counted: Summary
    """All that counts towards a category: money in, too, where categories are no accounts."""


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def budget(
    ctx: ToolContext,
    *,
    amounts: dict[str, Decimal | str] | None = None,
    currency: str | None = None,
    period: str | None = None,
) -> FinanceResult:
    """The user's budget by category: spent, left, and how much of the time has passed.

    Args:
        ctx: given by finclaw.
        amounts: by category, as "400" a month or "1200 per year"; by default the settings'.
        currency: of the amounts.
        period: looked at on its last day; by default today.
    """
    wanted = allowances(ctx, amounts, currency)
    asked = known_days(ctx, period)
    return await ask_books(ctx, lambda books: _budget(books, wanted, asked, asked.end or today_of(ctx)))


def _budget(books: Books, wanted: Sequence[Allowance], asked: AskedDays, day: date) -> FinanceResult:
    day = min(day, books.cap)
    cycles = {name: _cycle(books, name, day) for name in CYCLES if any(one.cycle == name for one in wanted)}
    extents: list[Extent] = [extent for one in cycles.values() for extent in one.counted.extents]
    rows = [_row(one, cycles[one.cycle]) for one in wanted]
    return FinanceResult(
        data={"date": day, "budget": rows, "unbudgeted": _unbudgeted(wanted, next(iter(cycles.values())))},
        as_of=day.isoformat(),
        units={**dict.fromkeys(("budget", "spent", "left"), "currency of the row"), "used": "1", "passed": "1"},
        method=Method(name="budget", convention=_CONVENTION, n=sum(one.counted.count for one in cycles.values())),
        sources=cite(books, extents),
        warnings=tuple(dict.fromkeys([*_over(rows), *_notes(wanted, cycles), *omissions(books, extents)])),
        period=asked.period,
    )


def _cycle(books: Books, name: str, day: date) -> _Cycle:
    whole = unit_around(day, name)
    days = covered_days(books, AskedDays(start=whole.first, end=day))
    found = outlays(books, days)
    spent, earned = found.bookings.summaries("category", found.is_spent)
    return _Cycle(
        label=_label(name, whole),
        passed=_passed(whole, day),
        outlays=found,
        spent=spent,
        counted=spent if books.complete else spent.with_(earned),
    )


def _passed(whole: Days, day: date) -> float:
    return round((day - whole.first + timedelta(days=1)) / (whole.last - whole.first + timedelta(days=1)), 4)


def _label(name: str, whole: Days) -> str:
    first = whole.first
    return {"month": f"{first:%Y-%m}", "quarter": f"{first.year}-Q{(first.month + 2) // 3}"}.get(name, str(first.year))


def _row(one: Allowance, cycle: _Cycle) -> dict[str, object]:
    spent = _spent(one, cycle)[one.currency]
    left = EXACT.subtract(one.amount, spent)
    return {
        "category": one.category,
        "period": cycle.label,
        "budget": plain_number(one.amount),
        "spent": plain_number(spent),
        "left": plain_number(left),
        "currency": one.currency,
        "used": round(float(spent / one.amount), 4) + 0.0 if one.amount else None,
        "passed": cycle.passed,
        "over": left < 0,
    }


def _spent(one: Allowance, cycle: _Cycle) -> dict[str, Decimal]:
    """What was spent of the category, by currency."""
    parts: dict[str, list[Decimal]] = {one.currency: []}
    for (currency, category), found in cycle.counted.sums.items():
        if category is not None and one.covers(str(category)):
            parts.setdefault(currency, []).append(found.amount)
    return {currency: EXACT.multiply(Decimal(-cycle.outlays.sign), total(mine)) for currency, mine in parts.items()}


def _unbudgeted(wanted: Sequence[Allowance], cycle: _Cycle) -> dict[str, object]:
    """What was spent in a cycle of categories without a budget, and without a category, by currency."""
    parts: dict[str, list[Decimal]] = {}
    for (currency, category), one in cycle.spent.sums.items():
        if category is None or not any(own.currency == currency and own.covers(str(category)) for own in wanted):
            parts.setdefault(currency, []).append(EXACT.multiply(Decimal(-cycle.outlays.sign), one.amount))
    return {"period": cycle.label, **{code: plain_number(total(mine)) for code, mine in sorted(parts.items())}}


def _over(rows: Sequence[Mapping[str, object]]) -> list[str]:
    return [
        f"{bounded(str(row['category']), _SHOWN_NAME)} is over its budget of {row['period']} by "
        f"{str(row['left']).removeprefix('-')} {row['currency']}"
        for row in rows
        if row["over"]
    ]


def _notes(wanted: Sequence[Allowance], cycles: Mapping[str, _Cycle]) -> list[str]:
    notes = [warning for cycle in cycles.values() for warning in cycle.outlays.warnings]
    for one in wanted:
        cycle = cycles[one.cycle]
        others = {code: spent for code, spent in _spent(one, cycle).items() if code != one.currency and spent}
        notes += [
            f"{bounded(one.category, _SHOWN_NAME)}: {plain_number(spent)} {code} more was spent, which is not converted"
            for code, spent in others.items()
            if not any(other.currency == code and other.covers(one.category) for other in wanted)
        ]
    sums = list(cycles.values())[-1].counted.sums
    bare = sum(found.count for (_, category), found in sums.items() if category is None)
    return [*notes, f"{bare} bookings have no category and count towards no budget"] if bare else notes
