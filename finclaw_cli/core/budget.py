"""Money that runs share, as a run asks for it."""

from __future__ import annotations

from decimal import Decimal
from typing import Protocol

from finclaw_cli.core.events.budget import BudgetScope
from finclaw_cli.core.money import EXACT
from finclaw_cli.core.record import record


@record(kw_only=True)
class BudgetStatus:
    """How much of a budget is spent, and set aside for requests of other runs that are under way; USD."""

    scope: BudgetScope
    limit_usd: Decimal
    spent_usd: Decimal
    reserved_usd: Decimal = Decimal(0)

    @property
    def unspent_usd(self) -> Decimal:
        """What is left once nothing is set aside any more."""
        return EXACT.subtract(self.limit_usd, self.spent_usd)

    @property
    def left_usd(self) -> Decimal:
        return EXACT.subtract(self.unspent_usd, self.reserved_usd)


@record(kw_only=True)
class AmountRange:
    """The money that one request can use, in USD."""

    least_usd: Decimal
    """With less it is not made."""
    enough_usd: Decimal
    """Less is only taken where waiting for other requests to end would not give more."""
    most_usd: Decimal
    """It cannot cost more."""

    def capped(self, amount_usd: Decimal) -> AmountRange:
        """The same with no more than an amount, which is at least `least_usd`."""
        enough_usd, most_usd = min(self.enough_usd, amount_usd), min(self.most_usd, amount_usd)
        return AmountRange(least_usd=self.least_usd, enough_usd=enough_usd, most_usd=most_usd)


@record(kw_only=True)
class Reservation:
    """Money for one request, and how the budgets stood before."""

    id: int
    amount_usd: Decimal
    statuses: tuple[BudgetStatus, ...]


class BudgetStore(Protocol):
    """Money that many runs share: what one of them has set aside, the others have not got."""

    async def reserve(self, wanted: AmountRange) -> Reservation | BudgetStatus:
        """Set aside as much of this as there is; the budget that leaves too little, where one does."""
        ...

    async def release(self, money: Reservation) -> None: ...
