"""The run's state machine."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest

from finclaw_cli.core.errors import InvalidTransition
from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.events.internal import ExecutionState
from finclaw_cli.engine.state_machine import Machine, State

# Written out: read from the code, a wrong table would agree with itself.
LEGAL = {
    ("idle", "streaming"),
    ("idle", "tool_use"),
    ("streaming", "tool_use"),
    ("streaming", "done"),
    ("tool_use", "executing"),
    ("executing", "streaming"),
    ("executing", "done"),
    ("done", "idle"),
}


async def ignore(event: Event) -> None:
    """Nobody listens."""


@pytest.mark.parametrize(("source", "target"), [*itertools.product(get_args(State), repeat=2)])
async def test_only_the_moves_of_the_table_are_legal(source: State, target: State) -> None:
    machine = Machine(ignore)
    machine.state = source
    if (source, target) in LEGAL:
        await machine.move(target)
        assert machine.state == target
        return
    with pytest.raises(InvalidTransition) as raised:
        await machine.move(target)
    assert machine.state == source
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
