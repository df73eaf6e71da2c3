"""Queues for the contract tests, and what all of them have to keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Protocol

from finclaw_cli.batch.queue import BatchItem, BatchQueue, Claim, NewItem, Outcome, State
from finclaw_cli.batch.rounds_port import NewRound
from finclaw_cli.core.budget import AmountRange

OK = Outcome(state="ok", exit_code=0, result={"text": "done"})


class Clock:
    """A time that tests move."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000

    def __call__(self) -> int:
        return self.now_ms


class MakeQueue(Protocol):
    """Makes another worker's queue over the same store."""

    def __call__(self, *, machine: str = "here", fault: Callable[[str], None] = ...) -> BatchQueue: ...


def new_items(count: int, session: str | None = None) -> list[NewItem]:
    return [
        NewItem(id=f"id{line}", name=f"n{line}", line=line, input=f'{{"prompt":"{line}"}}', session=session)
        for line in range(1, count + 1)
    ]


def money(amount: str) -> AmountRange:
    return AmountRange(least_usd=Decimal(amount), enough_usd=Decimal(amount), most_usd=Decimal(amount))


async def one(queue: BatchQueue, batch: str = "b") -> Claim:
    (claim,) = await queue.claim(batch, 1)
    return claim


async def states(queue: BatchQueue, batch: str = "b") -> dict[State, int]:
    status = await queue.status(batch)
    assert status is not None
    return {state: count for state, count in status.states.items() if count}


async def all_items(queue: BatchQueue, batch: str = "b") -> Sequence[BatchItem]:
    return await queue.items(batch, 0, 1_000)


def new_round(name: str, *keys: str, batch: str = "b") -> NewRound:
    return NewRound(id=name, batch=batch, model="anthropic:m", keys=keys)


async def ask_in_round(queue: BatchQueue, name: str, key: str) -> None:
    """Ask a question of the first item, and put it into a round."""
    await queue.rounds.ask("b", 1, key)
    await queue.rounds.begin(new_round(name, key))
