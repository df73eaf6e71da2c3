"""The ids of a reply's calls, where a server numbers them anew in each turn."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import Done, RawTurn, ToolInputDelta, ToolUseEnd, ToolUseStart
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.messages import Message
from finclaw_cli.engine.assemble import Assembler

IDS = st.lists(st.sampled_from(["c", "c_2", "c_3", "c_2_2", "d"]), unique=True, max_size=4)
RAW = RawTurn(dialect="chat", model="m", blocks=({},))


def reply(ids: Iterable[str], used: set[str]) -> Message:
    """A turn whose calls are interleaved, each with its number in its input."""
    assembler = Assembler(used)
    for call_id in ids:
        assembler.add(ToolUseStart(call_id, "pay"))
    for number, call_id in enumerate(ids):
        assembler.add(ToolInputDelta(call_id, f'{{"n": {number}}}'))
        assembler.add(ToolUseEnd(call_id))
    assembler.add(Done(stop_reason="tool_use", raw=RAW))
    return assembler.turn().message


@given(st.lists(IDS, max_size=4))
def test_every_call_of_a_conversation_has_an_id_of_its_own(turns: list[list[str]]) -> None:
    used: set[str] = set()
    for ids in turns:
        message = reply(ids, used)
        new = {call.id for call in message.tool_calls}
        assert len(new) == len(ids)
        assert new.isdisjoint(used)
        assert [call.input["n"] for call in message.tool_calls] == list(range(len(ids)))
        used |= new


def test_ids_that_are_new_stay_as_they_are_with_the_blocks_of_the_provider() -> None:
    message = reply(["c", "d"], {"e"})
    assert ([call.id for call in message.tool_calls], message.raw) == (["c", "d"], RAW)


def test_blocks_of_the_provider_that_have_a_used_id_are_not_sent_again() -> None:
    message = reply(["c", "d"], {"c"})
    assert ([call.id for call in message.tool_calls], message.raw) == (["c_2", "d"], None)


def test_a_call_of_a_used_id_that_starts_twice_is_refused() -> None:
    assembler = Assembler({"c"})
    assert assembler.begin_call(ToolUseStart("c", "pay")) == "c_2"
    with pytest.raises(ProviderError, match="a call started twice"):
        assembler.begin_call(ToolUseStart("c", "pay"))
