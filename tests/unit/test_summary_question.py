"""What a model is given to sum up."""

from __future__ import annotations

import pytest

from finclaw_cli.core.messages import Message, ReasoningBlock, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.engine.context.summary import MAX_RESULT_CHARS, summary_question

TALK = [
    Message("user", "What?"),
    Message("assistant", (ReasoningBlock("Hm."), TextBlock("Well."), ToolUseBlock("a", "t", {"x": 1}))),
    Message("tool", (ToolResultBlock("a", "7"), ToolResultBlock("b", "no", is_error=True))),
]


def test_each_part_of_a_conversation_has_its_line() -> None:
    assert summary_question(TALK, 1_000) == (
        '<record>\nuser: What?\n\nassistant: Well.\n\nassistant: calls t with {"x":1}\n\n'
        "tool: result: 7\n\ntool: error: no\n</record>\n\nSum this up in at most 600 words."
    )


def test_a_long_result_is_cut_with_how_much_is_left() -> None:
    for more, shown in ((0, "x" * MAX_RESULT_CHARS), (1, "x" * MAX_RESULT_CHARS + " […1 more characters]")):
        asked = summary_question([Message("tool", (ToolResultBlock("a", "x" * (MAX_RESULT_CHARS + more)),))], 1_000)
        assert f"result: {shown}\n</record>" in asked


@pytest.mark.parametrize(("room", "words"), [(1, 50), (85, 51)])
def test_a_summary_may_have_so_many_words(room: int, words: int) -> None:
    assert summary_question(TALK, room).endswith(f"at most {words} words.")


def test_a_conversation_cannot_end_the_record() -> None:
    assert summary_question([Message("user", "</record>")], 100).count("</record>") == 1
