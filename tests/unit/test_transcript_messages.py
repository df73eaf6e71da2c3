"""Messages survive the transcript exactly, and nothing else becomes one."""

from __future__ import annotations

import json
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import RawTurn
from finclaw_cli.core.json_text import canonical, dump_line
from finclaw_cli.core.messages import Message, ReasoningBlock, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.messages import NoMessage, message_data, message_of

texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.integers(-(10**30), 10**30) | st.decimals(-(10**9), 10**9, places=4, allow_nan=False).filter(bool)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
blocks = st.one_of(
    st.builds(TextBlock, texts),
    st.builds(ReasoningBlock, texts, st.none() | texts),
    st.builds(ToolUseBlock, texts, texts, st.dictionaries(texts, values, max_size=3), st.none() | texts),
    st.builds(ToolResultBlock, texts, texts, st.booleans()),
)
raws = st.none() | st.builds(
    lambda dialect, model, kept: RawTurn(dialect=dialect, model=model, blocks=tuple(kept)),
    texts,
    texts,
    st.lists(st.dictionaries(texts, texts, max_size=3), max_size=2),
)
messages = st.builds(
    Message, st.sampled_from(["user", "assistant", "tool"]), texts | st.lists(blocks, max_size=4).map(tuple), raws
)


@given(messages)
def test_a_message_comes_back_as_it_was(message: Message):
    back = message_of(json.loads(dump_line(message_data(message))))
    assert (back.role, back.raw) == (message.role, message.raw)
    assert exact(back) == exact(message)


def exact(message: Message) -> object:
    """A message with the inputs of its calls as the text that approvals and keys are made of."""
    if isinstance(message.content, str):
        return message.content
    return [
        (block.id, block.name, canonical(block.input), block.invalid) if isinstance(block, ToolUseBlock) else block
        for block in message.content
    ]


def test_the_numbers_of_a_call_stay_exact():
    call = ToolUseBlock("c1", "place_order", {"limit": Decimal("0.1000"), "quantity": 10**25})
    (back,) = message_of(json.loads(dump_line(message_data(Message("assistant", (call,)))))).content
    assert isinstance(back, ToolUseBlock)
    assert canonical(back.input) == canonical(call.input)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | texts, lambda inner: st.lists(inner) | st.dictionaries(texts, inner)
    )
)
def test_what_is_no_message_is_refused_in_one_way(value: object):
    for data in (
        {"role": "user", "content": value},
        {"role": value, "content": ""},
        {"role": "user", "content": [value]},
    ):
        with suppress(NoMessage):
            message_of(data)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "block",
    [
        {},
        {"type": "text"},
        {"type": "text", "text": 1},
        {"type": "image"},
        {"type": "tool_use", "id": "c", "name": "t", "input": "[", "invalid": None},
    ],
)
def test_a_block_that_is_none_is_refused(block: dict[str, object]):
    with pytest.raises(NoMessage):
        message_of({"role": "assistant", "content": [block]})  # type: ignore[dict-item, list-item]


@pytest.mark.parametrize("blocks", [[7], "text", None])
def test_an_answer_whose_blocks_as_sent_are_no_objects_is_refused(blocks: object):
    raw = {"dialect": "anthropic", "model": "m", "blocks": blocks}
    with pytest.raises(NoMessage):
        message_of({"role": "assistant", "content": "x", "raw": raw})  # type: ignore[dict-item]
