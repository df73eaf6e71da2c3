"""Whatever is left of a conversation can be sent on, and what was whole stays as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import RawTurn
from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.repair import ABORTED, UNAVAILABLE, Conversation, repair

RAW = RawTurn(dialect="anthropic", model="m", blocks=({"type": "text"},))


def user(text: str = "What?") -> Message:
    return Message("user", text)


def said(*calls: str, text: str = "Well.") -> Message:
    return Message("assistant", (TextBlock(text), *(ToolUseBlock(call, "t", {}) for call in calls)), RAW)


def answered(*calls: str, content: str = "7") -> Message:
    return Message("tool", tuple(ToolResultBlock(call, content) for call in calls))


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


def whats(conversation: Conversation) -> list[str]:
    return [each.what for each in conversation.mended]


def test_a_whole_conversation_stays_as_it_was():
    kept = repair(WHOLE)
    assert kept == Conversation(tuple(WHOLE), (), ())
    assert all(one is other for one, other in zip(kept.messages, WHOLE, strict=True))


def test_a_call_without_its_result_gets_one():
    kept = repair([user(), said("a", "b"), answered("b")])
    assert kept.messages[-1] == Message(
        "tool", (ToolResultBlock("b", "7"), ToolResultBlock("a", UNAVAILABLE, is_error=True))
    )
    assert whats(kept) == ["unanswered_call"]


def test_calls_at_the_very_end_are_due_and_nothing_is_wrong_with_them():
    kept = repair([user(), said("a", "b")])
    assert kept.messages == (user(), said("a", "b"))
    assert [call.id for call in kept.due] == ["a", "b"]
    assert kept.mended == ()


def test_what_is_due_is_answered_by_what_is_known_of_it():
    kept = repair([user(), said("a", "b")])
    messages = kept.answered({"b": ToolResultBlock("b", "9")}, ABORTED)
    assert messages[-1].content == (ToolResultBlock("a", ABORTED, is_error=True), ToolResultBlock("b", "9"))


def test_a_call_that_was_answered_nowhere_gets_the_result_that_was_kept_elsewhere():
    kept = repair([user(), said("a"), user("Hm.")], [ToolResultBlock("a", "9")])
    assert kept.messages == (user(), said("a"), answered("a", content="9"), user("Hm."))


def test_an_empty_result_was_aborted():
    kept = repair([user(), said("a"), answered("a", content="")])
    assert kept.messages[-1].content == (ToolResultBlock("a", ABORTED, is_error=True),)
    assert whats(kept) == ["empty_result"]


def test_a_result_without_its_call_gets_one():
    kept = repair([user(), answered("x"), said()])
    assert kept.messages[1].tool_calls == (ToolUseBlock("x", "unknown_tool", {}),)
    assert kept.messages[2] == answered("x")
    assert whats(kept) == ["orphan_result"]


def test_a_result_that_stands_elsewhere_is_moved():
    kept = repair([user(), said("a"), user("Hm."), answered("a")])
    assert kept.messages == (user(), said("a"), answered("a"), user("Hm."))
    assert whats(kept) == ["moved"]


@pytest.mark.parametrize("after", [[said()], []])
def test_a_result_before_its_call_is_moved_too(after: list[Message]):
    kept = repair([user(), answered("a"), said("a"), *after])
    assert kept.messages == (user(), said("a"), answered("a"), *after)
    assert (whats(kept), kept.due) == (["moved"], ())


def test_of_what_is_there_twice_the_later_is_dropped():
    kept = repair([user(), said("a"), answered("a"), answered("a"), said("a")])
    assert kept.messages[:3] == (user(), said("a"), answered("a"))
    assert "duplicate" in whats(kept)
    assert problems(kept.messages) == []


def test_a_message_that_lost_a_block_loses_the_providers_own_blocks():
    kept = repair([user(), said("a"), answered("a"), said("a", "b"), answered("b")])
    assert kept.messages[3].raw is None
    assert kept.messages[1].raw is RAW


def test_what_comes_before_the_first_question_is_set_aside():
    kept = repair([said(), answered("x"), user(), said()])
    assert kept.messages == (user(), said())
    assert whats(kept) == ["set_aside", "set_aside"]


ids = st.sampled_from("abcd")
blocks = st.one_of(
    st.builds(TextBlock, st.sampled_from(["", "word"])),
    st.builds(lambda call: ToolUseBlock(call, "t", {}), ids),
    st.builds(ToolResultBlock, ids, st.sampled_from(["", "7"])),
)
content = st.sampled_from(["", "word"]) | st.lists(blocks, max_size=4).map(tuple)
damaged = st.lists(st.builds(Message, st.sampled_from(["user", "assistant", "tool", "system"]), content), max_size=8)


@given(damaged)
def test_what_was_mended_is_valid_and_mending_it_again_changes_nothing(messages: list[Message]):
    kept = repair(messages)
    answered_all = kept.answered({})
    assert problems(answered_all) == []
    assert repair(kept.messages) == Conversation(kept.messages, kept.due, ())
    assert repair(answered_all) == Conversation(answered_all, (), ())


@given(damaged)
def test_nothing_vanishes_untold(messages: list[Message]):
    kept = repair(messages)
    assert kept.mended or kept.messages == tuple(messages)
