"""Calls of a Chat Completions stream stand in the order of their indices, however they arrive."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.messages import ToolUseBlock
from finclaw_cli.engine.assemble import Assembler
from finclaw_cli.providers.openai.chat_decode import ChatDecoder
from tests.wire.openai_chat_wire import USE, calls, entry, stream
from tests.wire.openai_turns import decode_bytes, raw_of


def order(indices: list[int]) -> tuple[list[str], list[str]]:
    """The calls as the engine has them, and as they go back."""
    said = [calls(entry(index, f"call_{index}", f"tool_{index}", "{")) for index in indices]
    more = [calls(entry(index, args="}")) for index in indices]
    chunks = decode_bytes(ChatDecoder(provider="test", model="m"), stream(*said, *more, USE))
    assembler = Assembler()
    for chunk in chunks:
        assembler.add(chunk)
    kept = [block.name for block in assembler.turn().message.content if isinstance(block, ToolUseBlock)]
    echoed = raw_of(chunks).blocks[0]["tool_calls"]
    assert isinstance(echoed, list)
    return kept, [call["function"]["name"] for call in echoed]  # type: ignore[index,call-overload]


@pytest.mark.parametrize("indices", list(permutations(range(3))))
def test_they_come_by_index(indices: tuple[int, ...]) -> None:
    assert order(list(indices)) == (["tool_0", "tool_1", "tool_2"],) * 2


@given(st.sets(st.integers(0, 40), min_size=1).flatmap(lambda found: st.permutations(sorted(found))))
def test_also_where_indices_are_left_out(indices: list[int]) -> None:
    wanted = [f"tool_{index}" for index in sorted(indices)]
    assert order(indices) == (wanted, wanted)
