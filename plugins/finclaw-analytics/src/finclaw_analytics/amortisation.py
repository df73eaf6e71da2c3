"""The schedule of a loan, in exact decimals, rounded as a lender rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext

from finclaw_analytics.numbers import bad_input

MOST_PAYMENTS = 2_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Loan:
    """What is owed, at which rate for a period, in which smallest unit of money."""

    principal: Decimal
    period_rate: Decimal
    cent: Decimal

    def rounded(self, amount: Decimal) -> Decimal:
        """To the smallest unit, halves away from zero."""
        return amount.quantize(self.cent, rounding=ROUND_HALF_UP)

    def level_payment(self, count: int) -> Decimal:
        """The annuity: principal × i / (1 - (1 + i)^-n), rounded; principal / n without interest."""
        with localcontext(prec=50):
            if self.period_rate == 0:
                return self.rounded(self.principal / count)
            return self.rounded(self.principal * self.period_rate / (1 - (1 + self.period_rate) ** -count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """One line of a schedule: `paid` = `interest` + `repaid`; `balance` is what is owed afterwards."""

    number: int
    paid: Decimal
    interest: Decimal
    repaid: Decimal
    balance: Decimal


def schedule(loan: Loan, payment: Decimal, last: int | None) -> list[Payment]:
    """All payments until nothing is owed; the last one is whatever is left then.

    Args:
        loan: what is owed.
        payment: of each period.
        last: number of the payment that settles the rest at the latest, or None for as many as it takes.

    Raises:
        ToolError: BAD_INPUT where the payment never repays the loan.
    """
    with localcontext(prec=50):
        return list(_payments(loan, payment, last))


def _payments(loan: Loan, payment: Decimal, last: int | None) -> Iterator[Payment]:
    balance = loan.principal
    for number in range(1, (last or MOST_PAYMENTS) + 1):
        interest = loan.rounded(balance * loan.period_rate)
        if last is None and payment <= interest:
            raise bad_input(f"a payment of {payment:f} does not repay: the interest of period {number} is {interest:f}")
        paid = balance + interest if number == last or payment >= balance + interest else payment
        balance += interest - paid
        yield Payment(number=number, paid=paid, interest=interest, repaid=paid - interest, balance=balance)
        if balance == 0:
            return
    raise bad_input(f"a payment of {payment:f} does not repay the loan in {MOST_PAYMENTS} periods")
