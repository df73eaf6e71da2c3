"""`loan`: the schedule of a level-payment loan and its totals, to the cent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal, localcontext
from typing import Literal

from finclaw_analytics.amortisation import MOST_PAYMENTS, Loan, Payment, schedule
from finclaw_analytics.numbers import bad_input, decimal_within, within
from finclaw_cli.sdk import FinanceResult, Method, tool
from finclaw_cli.sdk.months import months_after
from finclaw_cli.sdk.render import shortest_number

_LARGEST = Decimal(10) ** 15
_MOST_ROWS = 600
_MOST_PLACES = 8
_LAST_YEAR = 7_000
_COLUMNS = ["number", "date", "payment", "interest", "principal", "balance"]
_CONVENTION = (
    "interest of a period = balance × annual_rate / {per_year}, each amount rounded half up to {decimals} decimals; "
    "level payment = principal × i / (1 - (1+i)^-n), at the end of each period; the last payment is what is left, so "
    "that the balance ends at 0"
)
_EXAMPLE = {"principal": "200000", "annual_rate": "0.045", "payments": 360}


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=(_EXAMPLE,))
def loan(
    principal: Decimal,
    annual_rate: Decimal,
    *,
    payments: int | None = None,
    payment: Decimal | None = None,
    extra: Decimal = Decimal(0),
    payments_per_year: Literal[1, 2, 4, 12, 26, 52] = 12,
    first_payment: date | None = None,
    decimals: int = 2,
    from_payment: int = 1,
    limit: int = 12,
) -> FinanceResult:
    """Payment, total interest and schedule of a loan with level payments.

    Args:
        principal: amount lent.
        annual_rate: nominal, per year, a fraction.
        payments: how many; or payment.
        payment: each period's, to find how many.
        extra: paid on top each period; shortens the loan.
        payments_per_year: also how often interest is charged.
        first_payment: gives the schedule dates.
        decimals: of the currency, 0 for KRW or JPY.
        from_payment: first row shown.
        limit: rows shown.
    """
    within("decimals", decimals, 0, _MOST_PLACES)
    within("limit", limit, 0, _MOST_ROWS)
    within("from_payment", from_payment, 1, MOST_PAYMENTS)
    given = Loan(
        principal=decimal_within("principal", principal, Decimal("0.00000001"), _LARGEST),
        period_rate=_period_rate(annual_rate, payments_per_year),
        cent=Decimal(1).scaleb(-decimals),
    )
    if given.principal != given.rounded(given.principal):
        raise bad_input(f"principal {given.principal:f} has more than {decimals} decimals")
    level = _level(given, payments, payment)
    added = decimal_within("extra", extra, Decimal(0), _LARGEST)
    lines = schedule(given, level + given.rounded(added), payments)
    plain = schedule(given, level, payments) if added else lines
    rows = _rows(lines[from_payment - 1 :][:limit], first_payment, payments_per_year)
    convention = _CONVENTION.format(per_year=payments_per_year, decimals=decimals)
    return FinanceResult(
        data={"payment": shortest_number(level), **_totals(lines, plain), "columns": _COLUMNS, "rows": rows},
        units={"payment": "currency of the principal"},
        method=Method(name="annuity", convention=convention, n=len(lines)),
        warnings=_remarks(lines, level + given.rounded(added)),
        truncated=len(lines) > limit,
    )


def _period_rate(annual: Decimal, per_year: int) -> Decimal:
    decimal_within("annual_rate", annual, Decimal(0), Decimal(10))
    with localcontext(prec=50):
        return annual / per_year


def _level(given: Loan, payments: int | None, payment: Decimal | None) -> Decimal:
    if (payments is None) == (payment is None):
        raise bad_input("give either payments (how many) or payment (how much)")
    if payments is not None:
        within("payments", payments, 1, MOST_PAYMENTS)
        return given.level_payment(payments)
    level = decimal_within("payment", payment or Decimal(0), given.cent, _LARGEST)
    if level != given.rounded(level):
        raise bad_input(f"payment {level:f} has more decimals than the currency")
    return level


def _totals(lines: Sequence[Payment], plain: Sequence[Payment]) -> dict[str, object]:
    interest = sum((line.interest for line in lines), Decimal(0))
    totals: dict[str, object] = {
        "payments": len(lines),
        "last_payment": shortest_number(lines[-1].paid),
        "total_paid": shortest_number(sum((line.paid for line in lines), Decimal(0))),
        "total_interest": shortest_number(interest),
    }
    if plain is not lines:
        without = sum((line.interest for line in plain), Decimal(0))
        totals["saved_by_extra"] = {
            "interest": shortest_number(without - interest),
            "payments": len(plain) - len(lines),
        }
    return totals


def _rows(lines: Sequence[Payment], first: date | None, per_year: int) -> list[list[object]]:
    if first is not None and first.year > _LAST_YEAR:
        raise bad_input(f"first_payment {first} is after the year {_LAST_YEAR}")
    return [
        [
            line.number,
            None if first is None else _due(first, line.number - 1, per_year),
            *(shortest_number(amount) for amount in (line.paid, line.interest, line.repaid, line.balance)),
        ]
        for line in lines
    ]


def _due(first: date, periods: int, per_year: int) -> date:
    if 12 % per_year == 0:
        return months_after(first, periods * 12 // per_year)
    return first + timedelta(weeks=periods * 52 // per_year)


def _remarks(lines: Sequence[Payment], usual: Decimal) -> tuple[str, ...]:
    if lines[-1].paid > usual * 2:
        return (f"the last payment, {lines[-1].paid:f}, is more than twice the others",)
    return ()
