"""The run's state machine."""

from __future__ import annotations

import itertools

import pytest

from finclaw_cli.core.errors import InvalidTransition
from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.events.internal import ExecutionState
from finclaw_cli.engine.state_machine import MOVES, Machine, State

LEGAL = {(source, target) for source, targets in MOVES.items() for target in targets}


async def ignore(event: Event) -> None:
    """Nobody listens."""


@pytest.mark.parametrize(("source", "target"), [*itertools.product(MOVES, MOVES)])
async def test_only_the_moves_of_the_table_are_legal(source: State, target: State) -> None:
    machine = Machine(ignore)
    machine.state = source
    if (source, target) in LEGAL:
        await machine.move(target)
        assert machine.state == target
        return
    with pytest.raises(InvalidTransition) as raised:
        await machine.move(target)
    assert source in raised.value.message
    assert target in raised.value.message


async def test_every_move_is_told() -> None:
    told: list[Event] = []

    async def tell(event: Event) -> None:
        told.append(event)

    machine = Machine(tell)
    await machine.move("streaming")
    await machine.reset()
    assert told == [
        ExecutionState(state_from="idle", state_to="streaming"),
        ExecutionState(state_from="streaming", state_to="idle"),
    ]
