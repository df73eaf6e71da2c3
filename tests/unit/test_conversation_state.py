"""What a conversation knows after a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finclaw_cli.app.conversation_state import ConversationState
from finclaw_cli.core import exits
from tests.unit.plain_runs import HELLO, run


@pytest.mark.parametrize(
    ("exit_code", "unknown"),
    [(exits.OK, ("pay",)), (exits.UNEXPECTED, ("pay",)), (exits.TIMEOUT, ("pay",)), (exits.NEEDS_HUMAN, ())],
)
async def test_a_call_with_an_unknown_outcome_is_kept_until_an_exit_code_has_reported_it(
    exit_code: int, unknown: tuple[str, ...]
):
    result = replace(await run(HELLO)(), exit_code=exit_code, unknown=("pay",))
    assert ConversationState().after(result).given_up(resumed=False) == unknown


async def test_the_messages_of_a_run_are_those_of_the_conversation():
    result = await run(HELLO)()
    state = ConversationState().after(result)
    assert (state.messages, state.kept, state.closing) == (result.messages, result.kept_messages, ())
