"""The durable queue of a batch's items, as the runner of a batch uses it.

An item is claimed by one worker at a time, under a lease. Each claim has a higher fence than the one before: what a
worker reports of an item that was taken from it is refused (`LeaseLost`). The number of items in all states together is
always the number of items that were submitted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal, Protocol

from finclaw_cli.batch.buckets import Buckets
from finclaw_cli.batch.rounds_port import Rounds
from finclaw_cli.core import exits
from finclaw_cli.core.budget import AmountRange, BudgetStatus
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record

State = Literal["waiting", "running", "ok", "failed", "denied", "unknown", "cancelled"]
STATES: Final[tuple[State, ...]] = ("waiting", "running", "ok", "failed", "denied", "unknown", "cancelled")
FINAL: Final[tuple[State, ...]] = ("ok", "failed", "denied", "unknown", "cancelled")
LEASE_S: Final = 60.0
"""How long a worker keeps its items without a heartbeat, where it cannot be known that its process has died."""
MOST_DEATHS: Final = 3
"""An item that was running when so many processes died is failed: it may be what ends them."""
DEADLY: Final = f"its process died {MOST_DEATHS} times while it was running"

Fault = Callable[[str], None]
"""Called with the name of each boundary that an operation passes; a test may raise, or end the process, there."""


class QueueFailed(FinclawError):
    """The queue of batches cannot be read or written."""

    code = "batch_queue"
    exit_code = exits.UNEXPECTED


class LeaseLost(FinclawError):
    """The item belongs to another worker by now, or was cancelled."""

    code = "lease_lost"
    exit_code = exits.BUSY


@record(kw_only=True)
class NewItem:
    """An item to submit."""

    id: str
    """The same for the same input and the same settings."""
    name: str
    """The id that results show: the caller's, else `id`."""
    line: int
    """Its place in the input, from 1; unique in a batch."""
    input: str
    """What is to be run, as JSON."""
    session: str | None = None
    """The caller's session; items of one session run one after another, in the order of their lines."""


@record(kw_only=True)
class Claim:
    """An item that this worker may run."""

    batch: str
    item: str
    line: int
    input: str
    attempt: int
    """From 1."""
    fence: int
    session: str | None
    """The session of the attempt before this one; None where there was none."""
    run_id: str | None
    """The run of that attempt."""
    is_retry: bool
    """Whether the item had ended, and was to be tried again, since that run began."""
    lost_usd: Decimal
    """What was reserved for a request when the process of that run died, in USD; it counts as spent."""


@record(kw_only=True)
class Outcome:
    """How an item ended."""

    state: State
    exit_code: int | None
    reason: str | None = None
    """Why there is no result."""
    result: JsonObject | None = None
    """The result of the run, as `agent.result` has it."""


@record(kw_only=True)
class BatchItem:
    """An item as the queue has it."""

    name: str
    line: int
    state: State
    attempts: int
    session: str | None
    cost_usd: Decimal | None
    """Of all attempts, in USD; None where it is unknown."""
    exit_code: int | None
    reason: str | None
    result: JsonObject | None
    place: int | None
    """Its place in the order in which items ended, from 1; None where it has not ended."""


@record(kw_only=True)
class BatchStatus:
    """The state of a batch."""

    id: str
    created: datetime
    """UTC."""
    states: Mapping[State, int]
    """How many items are in each state; every state is there."""
    spent_usd: Decimal
    held_usd: Decimal
    """Reserved for requests under way, in USD."""
    max_cost_usd: Decimal | None
    unpriced: int
    """How many items have had requests of unknown cost."""
    is_cancelled: bool

    @property
    def items(self) -> int:
        """How many items the batch has."""
        return sum(self.states.values())

    @property
    def is_finished(self) -> bool:
        """Whether every item has ended."""
        return self.states["waiting"] == self.states["running"] == 0


class BatchQueue(Protocol):
    """A durable queue of the items of all batches, shared by any number of workers.

    Every method raises `QueueFailed` where the queue cannot be used. What a method has returned from survives the death
    of the process.
    """

    @property
    def buckets(self) -> Buckets:
        """The rate limits of the servers that are asked."""
        ...

    @property
    def rounds(self) -> Rounds:
        """The rounds in which providers are asked at half the price."""
        ...

    async def submit(self, batch: str, items: Sequence[NewItem], max_cost_usd: Decimal | None) -> None:
        """Add a batch, whole or not at all; of one that is there already, the limit of its cost is set."""
        ...

    async def claim(self, batch: str, most: int) -> Sequence[Claim]:
        """Claim up to `most` waiting items in the order of their lines, after those of dead workers were taken back."""
        ...

    async def heartbeat(self) -> None:
        """Extend the lease of this worker."""
        ...

    async def begin(self, claim: Claim, session: str, run_id: str) -> None:
        """Write down which run is about to begin, in which session.

        Raises:
            LeaseLost: the item is not this worker's.
        """
        ...

    async def finish(self, claim: Claim, outcome: Outcome) -> None:
        """Write down how an item ended; what is reserved for it is free.

        Raises:
            LeaseLost: the item is not this worker's.
        """
        ...

    async def release(self, claim: Claim) -> None:
        """Give an item back, which another claim takes up; of a cancelled batch it is cancelled.

        Raises:
            LeaseLost: the item is not this worker's.
        """
        ...

    async def reserve(self, claim: Claim, wanted: AmountRange) -> Decimal | BudgetStatus:
        """Reserve as much of an amount as the batch's limit leaves; its status where that is too little.

        Raises:
            LeaseLost: the item is not this worker's.
        """
        ...

    async def settle(self, claim: Claim, reserved_usd: Decimal, cost_usd: Decimal | None) -> None:
        """Add the cost of a request, in place of what was reserved for it; also of an item that was lost meanwhile.

        What was reserved when a worker died counts as spent.
        """
        ...

    async def recover(self, claim: Claim, cost_usd: Decimal) -> None:
        """Put what the run of a dead worker has cost, by its transcript, in place of what counts as spent for it.

        Raises:
            LeaseLost: the item is not this worker's.
        """
        ...

    async def status(self, batch: str) -> BatchStatus | None:
        """The state of a batch; None where there is no such one."""
        ...

    async def is_cancelled(self, batch: str) -> bool:
        """Whether a batch is cancelled, without the counts of its items."""
        ...

    async def batches(self) -> Sequence[BatchStatus]:
        """All batches, the newest first."""
        ...

    async def ended(self, batch: str, after: int, most: int) -> Sequence[BatchItem]:
        """The items that have ended, in that order, from the place after `after` on."""
        ...

    async def items(self, batch: str, after: int, most: int) -> Sequence[BatchItem]:
        """The items in the order of their lines, from the line after `after` on."""
        ...

    async def retry(self, batch: str, states: Sequence[State], names: Sequence[str] = ()) -> int:
        """Let items that ended in one of these states wait again, all or those named; how many they are."""
        ...

    async def cancel(self, batch: str) -> int:
        """Cancel what waits, and let running items be given back; how many were waiting."""
        ...

    async def remove(self, batches: Sequence[str]) -> str | None:
        """Remove batches with their items, all or none; the id of one that has running items, where there is such."""
        ...

    async def aclose(self) -> None:
        """Give up the lease of this worker; items that it still has are taken back by the next claim."""
        ...
