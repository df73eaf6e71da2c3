"""Ends the rounds of a cancelled batch at their providers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from finclaw_cli.batch.round_provider import batched
from finclaw_cli.batch.round_trip import CLOCKS
from finclaw_cli.batch.rounds_port import Round, Rounds
from finclaw_cli.core.errors import FinclawError, UsageError
from finclaw_cli.engine.connection import Connect
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.providers.batches import BatchApi


@dataclass(slots=True)
class CancelledRounds:
    """What became of the rounds."""

    requests: int = 0
    """How many requests their providers were asked to end."""
    failed: list[str] = field(default_factory=list)
    """A line for each round that goes on."""


async def cancel_rounds(rounds: Rounds, under_way: Sequence[Round], connect: Connect) -> CancelledRounds:
    """Let the provider's batch of each round end; what is answered by then is billed."""
    cancelled = CancelledRounds()
    for each in under_way:
        provider, _, model = each.model.partition(":")
        try:
            await _cancel(each, batched(connect(ModelRef(provider=provider, model=model))).batch_api())
        except FinclawError as error:
            cancelled.failed.append(f"{each.remote or 'a batch'} of {each.model} was not cancelled: {error.message}")
            continue
        await rounds.end(each.id)
        cancelled.requests += each.requests
    return cancelled


async def _cancel(of: Round, api: BatchApi) -> None:
    try:
        remote, is_certain = of.remote, True
        if remote is None:
            made = await api.find(of.id, of.requests, of.since - CLOCKS)
            remote, is_certain = made.id, made.is_certain
        if remote is not None:
            await api.cancel(remote)
        elif not is_certain:
            raise UsageError("its provider does not show yet whether it was made; cancel it again later")
    finally:
        await api.aclose()
