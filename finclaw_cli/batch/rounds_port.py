"""Rounds of requests, as the queue keeps them: what was asked, in which batch of a provider, and what was answered.

A question is known by a key: the same item, at the same place of its conversation. It is asked in one round at a time.
A round is written down before it is sent, so that after a crash it can be looked for, and is not sent twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from finclaw_cli.core.record import record


@record(kw_only=True)
class NewRound:
    """A round that is about to be sent."""

    id: str
    batch: str
    model: str
    """The model that is asked, as `provider:model`."""
    keys: Sequence[str]


@record(kw_only=True)
class Round:
    """A round that was written down."""

    id: str
    model: str
    requests: int
    since: datetime
    """When it was written down, UTC."""
    remote: str | None
    """The provider's id of its batch; None where it is not known whether that was made."""


@record(kw_only=True)
class Question:
    """What is known of a question."""

    round: Round | None = None
    """Where it is asked; None where it is in no round."""
    answer: str | None = None
    """The body of the answer, JSON."""
    expired: int = 0
    """How often it was in a batch that ended without an answer to it."""


@record(kw_only=True)
class Ended:
    """What became of a question in a round."""

    key: str
    answer: str | None = None
    """None where it failed, and may be asked again."""
    is_expired: bool = False


class Rounds(Protocol):
    """The rounds of all batches. Every method raises `QueueFailed` where the queue cannot be used."""

    async def ask(self, batch: str, line: int, key: str) -> Question:
        """What is known of an item's question; while it is asked, the end of a process is no fault of the item."""
        ...

    async def begin(self, new: NewRound) -> Round:
        """Write down a round that is about to be sent; once this returns, it survives a loss of power."""
        ...

    async def sent(self, round_id: str, remote: str) -> None:
        """Write down the provider's id of a round's batch."""
        ...

    async def drop(self, round_id: str) -> None:
        """Forget a round that was not made: its questions are in no round."""
        ...

    async def end_questions(self, round_id: str, ended: Sequence[Ended]) -> None:
        """Write down what became of some of a round's questions; of what is in another round by now, nothing."""
        ...

    async def end(self, round_id: str) -> Sequence[str]:
        """Write down that all results of a round are taken; the keys of questions that had none are in no round."""
        ...

    async def forget(self, key: str) -> None:
        """Drop an answer that cannot be used."""
        ...

    async def under_way(self, batch: str) -> Sequence[Round]:
        """The rounds of a batch that have not ended."""
        ...

    async def made(self) -> frozenset[str]:
        """The providers' ids of the batches of all rounds."""
        ...

    async def expired(self, batch: str, line: int) -> int:
        """How often a question of an item has expired, at most."""
        ...
