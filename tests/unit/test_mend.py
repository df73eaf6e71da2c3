"""Whatever is left of a conversation can be sent on, and what was whole stays as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import RawTurn
from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.mend import ABORTED, UNAVAILABLE, mend

RAW = RawTurn(dialect="anthropic", model="m", blocks=({"type": "text"},))


def user(text: str = "What?") -> Message:
    return Message("user", text)


def said(*calls: str, text: str = "Well.") -> Message:
    return Message("assistant", (TextBlock(text), *(ToolUseBlock(call, "t", {}) for call in calls)), RAW)


def answered(*calls: str, content: str = "7") -> Message:
    return Message("tool", tuple(ToolResultBlock(call, content) for call in calls))


def whats(messages: list[Message], *, aborted: bool = False) -> list[str]:
    return [each.what for each in mend(messages, aborted=aborted)[1]]


def problems(messages: tuple[Message, ...]) -> list[str]:
    """By the rules of the providers, written once more: results right after their calls, each once, and none besides."""
    found, ids, due = [], list[str](), list[str]()
    for number, message in enumerate(messages):
        blocks = message.content if not isinstance(message.content, str) else (TextBlock(message.content),)
        if not message.content:
            found.append(f"{number} is empty")
        results = [block.tool_use_id for block in blocks if isinstance(block, ToolResultBlock)]
        calls = [block.id for block in blocks if isinstance(block, ToolUseBlock)]
        if sorted(results) != sorted(due):
            found.append(f"{number} answers {results}, not {due}")
        if bool(results) != (message.role == "tool") or (calls and message.role != "assistant"):
            found.append(f"{number} is of the wrong role")
        if number == 0 and message.role != "user":
            found.append("the user does not speak first")
        ids += calls
        due = calls
    return [
        *found,
        *(["calls without an answer"] if due else []),
        *(["an id twice"] if len(ids) > len(set(ids)) else []),
    ]


WHOLE = [user(), said("a", "b"), answered("b", "a"), said(text="So."), user("And?"), said()]


def test_a_whole_conversation_stays_as_it_was():
    messages, mended = mend(WHOLE)
    assert messages == tuple(WHOLE)
    assert all(kept is given for kept, given in zip(messages, WHOLE, strict=True))
    assert mended == ()


def test_a_call_without_its_result_gets_one():
    messages, mended = mend([user(), said("a", "b"), answered("b")])
    assert messages[-1] == Message(
        "tool", (ToolResultBlock("b", "7"), ToolResultBlock("a", UNAVAILABLE, is_error=True))
    )
    assert [each.what for each in mended] == ["unanswered_call"]


def test_a_call_of_a_cancelled_run_was_aborted():
    messages, _ = mend([user(), said("a")], aborted=True)
    assert messages[-1].content == (ToolResultBlock("a", ABORTED, is_error=True),)


def test_an_empty_result_was_aborted():
    messages, mended = mend([user(), said("a"), answered("a", content="")])
    assert messages[-1].content == (ToolResultBlock("a", ABORTED, is_error=True),)
    assert [each.what for each in mended] == ["empty_result"]


def test_a_result_without_its_call_gets_one():
    messages, mended = mend([user(), answered("x"), said()])
    assert messages[1].tool_calls == (ToolUseBlock("x", "unknown_tool", {}),)
    assert messages[2] == answered("x")
    assert [each.what for each in mended] == ["orphan_result"]


def test_a_result_that_stands_elsewhere_is_moved():
    messages, mended = mend([user(), said("a"), user("Hm."), answered("a")])
    assert messages == (user(), said("a"), answered("a"), user("Hm."))
    assert [each.what for each in mended] == ["moved"]


def test_a_result_before_its_call_is_moved_too():
    messages, mended = mend([user(), answered("a"), said("a"), said()])
    assert messages == (user(), said("a"), answered("a"), said())
    assert [each.what for each in mended] == ["moved"]


def test_of_what_is_there_twice_the_later_is_dropped():
    messages, mended = mend([user(), said("a"), answered("a"), answered("a"), said("a")])
    assert messages[:3] == (user(), said("a"), answered("a"))
    assert "duplicate" in [each.what for each in mended]
    assert problems(messages) == []


def test_a_message_that_lost_a_block_loses_the_providers_own_blocks():
    messages, _ = mend([user(), said("a"), answered("a"), said("a", "b"), answered("b")])
    assert messages[3].raw is None
    assert messages[1].raw is RAW


def test_what_comes_before_the_first_question_is_set_aside():
    messages, mended = mend([said(), answered("x"), user(), said()])
    assert messages == (user(), said())
    assert [each.what for each in mended] == ["set_aside", "set_aside"]


ids = st.sampled_from("abcd")
blocks = st.one_of(
    st.builds(TextBlock, st.sampled_from(["", "word"])),
    st.builds(lambda call: ToolUseBlock(call, "t", {}), ids),
    st.builds(ToolResultBlock, ids, st.sampled_from(["", "7"])),
)
content = st.sampled_from(["", "word"]) | st.lists(blocks, max_size=4).map(tuple)
damaged = st.lists(st.builds(Message, st.sampled_from(["user", "assistant", "tool", "system"]), content), max_size=8)


@given(damaged, st.booleans())
def test_what_was_mended_is_valid_and_mending_it_again_changes_nothing(messages: list[Message], aborted: bool):
    mended, _ = mend(messages, aborted=aborted)
    assert problems(mended) == []
    again, nothing = mend(mended, aborted=aborted)
    assert again == mended
    assert nothing == ()


@given(damaged)
def test_nothing_vanishes_untold(messages: list[Message]):
    mended, told = mend(messages)
    assert told or mended == tuple(messages)
