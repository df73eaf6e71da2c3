"""The ids of a reply's calls, where a server numbers them anew in each turn."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.engine.assemble import Assembled
from finclaw_cli.engine.run_state import RunState

IDS = st.lists(st.sampled_from(["c", "c_2", "c_3", "c_2_2", "d"]), unique=True, max_size=4)


def reply(ids: list[str]) -> Assembled:
    message = Message("assistant", tuple(ToolCall(name, "pay", {}) for name in ids))
    return Assembled(message=message, stop_reason="tool_use", usage=None, detail=None)


@given(st.lists(IDS, max_size=4))
def test_every_call_of_a_conversation_has_an_id_of_its_own(turns: list[list[str]]) -> None:
    record = RunState((), 0)
    seen: list[str] = []
    for ids in turns:
        renamed = record.with_new_ids(reply(ids))
        record.commit(renamed, "test:m")
        seen += [call.id for call in renamed.message.tool_calls]
    assert len(seen) == len(set(seen)) == sum(map(len, turns))
