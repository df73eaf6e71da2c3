"""The family of events about money: what each request is expected to take, what it came to, and what may be spent.

Requests are numbered through a run from 1, those that are no turns and attempts that failed included. A request of
which only `budget.reserved` was kept was cut off with the process that made it. Amounts are USD; counts are tokens,
disjoint.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Tier, Usage

SidePurpose = Literal["compaction", "numbers"]
"""What a request is for that is no turn: a summary, the sources of figures."""
Purpose = Literal["turn", "compaction", "numbers"]
RequestStatus = Literal["complete", "failed", "interrupted"]
BudgetScope = Literal["run", "batch", "daily", "monthly"]


@record(kw_only=True)
class BudgetReserved:
    """A request is about to be made; `usage` is what it takes in any case, counted here."""

    number: int
    turn: int
    attempt: int
    purpose: Purpose
    model: str
    usage: Usage
    cost_usd: Decimal | None
    """What that costs; null where it is unknown, or where it is looked up only once there is an answer."""
    price_source: str
    tier: Tier = "standard"
    type: Literal["budget.reserved"] = "budget.reserved"


@record(kw_only=True)
class BudgetSpent:
    """A request has ended, one way or another."""

    number: int
    turn: int
    attempt: int
    purpose: Purpose
    model: str
    status: RequestStatus
    usage: Usage
    """All zeros where the request was refused before anything was done for it."""
    estimated: bool
    """Whether some of it was counted here, because it was not reported whole."""
    cost_usd: Decimal | None
    """Null where the price is unknown."""
    uncached_usd: Decimal | None
    """What the same tokens would have cost had none come from or gone to a cache."""
    price_source: str
    """The source of the price: `settings`, `genai-prices X.Y.Z`, `scripted`; empty where there is none."""
    tier: Tier = "standard"
    """What the request was priced as: `batch` and `flex` cost less."""
    type: Literal["budget.spent"] = "budget.spent"


@record(kw_only=True)
class BudgetThreshold:
    """80 % of a budget are spent; sent once a run for each."""

    scope: BudgetScope
    limit_usd: Decimal
    spent_usd: Decimal
    type: Literal["budget.threshold"] = "budget.threshold"


@record(kw_only=True)
class BudgetExceeded:
    """The next request could cost more than a budget leaves: it is not made, and where it is a turn, the run ends."""

    scope: BudgetScope
    limit_usd: Decimal
    spent_usd: Decimal
    reserved_usd: Decimal
    """What is set aside for requests of other runs that are under way."""
    needed_usd: Decimal
    """What the request costs with a short answer."""
    turn: int
    model: str
    type: Literal["budget.exceeded"] = "budget.exceeded"
