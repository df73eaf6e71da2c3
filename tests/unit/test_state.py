"""The run's state machine: its table, and the moves that runs make."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest

from finclaw_cli.core.errors import InvalidTransition
from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.events.internal import ExecutionState, StateCause
from finclaw_cli.engine.state_machine import MOVES, Machine, State

# Written out: read from the code, a wrong table would agree with itself.
LEGAL = {
    ("idle", "streaming"),
    ("idle", "executing"),
    ("streaming", "tool_use"),
    ("streaming", "done"),
    ("streaming", "idle"),
    ("tool_use", "executing"),
    ("tool_use", "done"),
    ("tool_use", "idle"),
    ("executing", "streaming"),
    ("executing", "done"),
    ("executing", "idle"),
    ("done", "idle"),
}


async def ignore(event: Event) -> None:
    """Take no notice."""


class Seen(list[Event]):
    """Takes events."""

    async def take(self, event: Event) -> None:
        self.append(event)


def test_the_table_has_the_legal_moves() -> None:
    assert set(MOVES) == LEGAL


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
    assert raised.value.message.startswith(f"cannot go from {source!r} to {target!r}; allowed: ")
    assert set(raised.value.allowed) == {to for given, to in LEGAL if given == source}


async def test_every_move_is_emitted_with_its_cause() -> None:
    seen = Seen()
    machine = Machine(seen.take)
    await machine.move("streaming")
    await machine.move("idle", "retry")
    assert seen == [
        ExecutionState(state_from="idle", state_to="streaming"),
        ExecutionState(state_from="streaming", state_to="idle", cause="retry"),
    ]


ENDS: dict[tuple[State, StateCause | None], list[tuple[State, StateCause | None]]] = {
    ("idle", None): [],
    ("idle", "cancelled"): [],
    ("done", None): [("idle", None)],
    ("done", "failed"): [("idle", None)],
    ("executing", None): [("done", None), ("idle", None)],
    ("executing", "cancelled"): [("idle", "cancelled")],
    ("streaming", "failed"): [("idle", "failed")],
    ("tool_use", "limit"): [("idle", "limit")],
}


@pytest.mark.parametrize(("start", "moves"), ENDS.items())
async def test_a_run_ends_in_idle(
    start: tuple[State, StateCause | None], moves: list[tuple[State, StateCause | None]]
) -> None:
    seen = Seen()
    machine = Machine(seen.take)
    machine.state, cause = start
    await machine.end(cause)
    assert [(event.state_to, event.cause) for event in seen if isinstance(event, ExecutionState)] == moves
    assert machine.state == "idle"
