"""Whatever is left of a conversation can be sent on, and what was whole stays as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import RawTurn
from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.repair import ABORTED, UNAVAILABLE, Conversation, Repair, repair

RAW = RawTurn(dialect="anthropic", model="m", blocks=({"type": "text"},))


def user(text: str = "What?") -> Message:
    return Message("user", text)


def reply(*calls: str, text: str = "Well.") -> Message:
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


WHOLE = [user(), reply("a", "b"), answered("b", "a"), reply(text="So."), user("And?"), reply()]


def whats(conversation: Conversation) -> list[str]:
    return [each.what for each in conversation.mended]


def test_a_whole_conversation_stays_as_it_was():
    kept = repair(WHOLE)
    assert kept == Conversation(tuple(WHOLE), (), ())
    assert all(one is other for one, other in zip(kept.messages, WHOLE, strict=True))


def test_a_call_without_its_result_gets_one():
    kept = repair([user(), reply("a", "b"), answered("b")])
    assert kept.messages[-1] == Message(
        "tool", (ToolResultBlock("b", "7"), ToolResultBlock("a", UNAVAILABLE, is_error=True))
    )
    assert whats(kept) == ["unanswered_call"]


def test_calls_at_the_very_end_are_due_and_nothing_is_wrong_with_them():
    kept = repair([user(), reply("a", "b")])
    assert kept.messages == (user(), reply("a", "b"))
    assert [call.id for call in kept.due] == ["a", "b"]
    assert kept.mended == ()


def test_what_is_due_is_answered_by_what_is_known_of_it():
    kept = repair([user(), reply("a", "b")])
    messages = kept.answered({"b": ToolResultBlock("b", "9")}, ABORTED)
    assert messages[-1].content == (ToolResultBlock("a", ABORTED, is_error=True), ToolResultBlock("b", "9"))


def test_a_call_that_was_answered_nowhere_gets_the_result_that_was_kept_elsewhere():
    kept = repair([user(), reply("a"), user("Hm.")], [ToolResultBlock("a", "9")])
    assert kept.messages == (user(), reply("a"), answered("a", content="9"), user("Hm."))


def test_an_empty_result_was_aborted():
    kept = repair([user(), reply("a"), answered("a", content="")])
    assert kept.messages[-1].content == (ToolResultBlock("a", ABORTED, is_error=True),)
    assert whats(kept) == ["empty_result"]


def test_a_result_without_its_call_gets_one():
    kept = repair([user(), answered("x"), reply()])
    assert kept.messages[1].tool_calls == (ToolUseBlock("x", "unknown_tool", {}),)
    assert kept.messages[2] == answered("x")
    assert whats(kept) == ["orphan_result"]


def test_a_result_without_its_call_takes_the_call_that_was_kept_elsewhere():
    intended = ToolUseBlock("x", "pay", {"amount": 7})
    kept = repair([user(), answered("x"), reply()], intended={"x": intended}, records=[1, 4, 5])
    assert kept.messages[1].tool_calls == (intended,)
    assert kept.mended == (Repair("orphan_result", "pay (x)", 4),)


def test_a_result_that_stands_elsewhere_is_moved():
    kept = repair([user(), reply("a"), user("Hm."), answered("a")])
    assert kept.messages == (user(), reply("a"), answered("a"), user("Hm."))
    assert whats(kept) == ["moved"]


@pytest.mark.parametrize("after", [[reply()], []])
def test_a_result_before_its_call_is_moved_too(after: list[Message]):
    kept = repair([user(), answered("a"), reply("a"), *after])
    assert kept.messages == (user(), reply("a"), answered("a"), *after)
    assert (whats(kept), kept.due) == (["moved"], ())


def test_of_what_is_there_twice_the_later_is_dropped():
    kept = repair([user(), reply("a"), answered("a"), answered("a"), reply("a")])
    assert kept.messages[:3] == (user(), reply("a"), answered("a"))
    assert "duplicate" in whats(kept)
    assert problems(kept.messages) == []


def test_a_message_that_lost_a_block_loses_the_providers_own_blocks():
    kept = repair([user(), reply("a"), answered("a"), reply("a", "b"), answered("b")])
    assert kept.messages[3].raw is None
    assert kept.messages[1].raw is RAW


def test_what_comes_before_the_first_question_is_set_aside():
    kept = repair([reply(), answered("x"), user(), reply()])
    assert kept.messages == (user(), reply())
    assert whats(kept) == ["set_aside", "set_aside"]


def test_a_result_of_another_call_does_not_stay_among_the_answers():
    kept = repair([user(), reply("a"), answered("a", "x"), reply()])
    assert kept.messages[1:3] == (reply("a"), answered("a"))
    assert kept.messages[3].tool_calls == (ToolUseBlock("x", "unknown_tool", {}),)
    assert kept.messages[4:] == (answered("x"), reply())
    assert kept.mended == (Repair("orphan_result", "x"),)


def test_of_two_results_of_a_call_in_one_message_the_first_is_kept():
    twice = Message("tool", (ToolResultBlock("a", "7"), ToolResultBlock("a", "8")))
    kept = repair([user(), reply("a"), twice, reply()])
    assert kept.messages == (user(), reply("a"), answered("a"), reply())
    assert kept.mended == (Repair("duplicate", "the result of a"),)


def test_of_two_calls_with_one_id_in_one_message_the_first_is_kept():
    kept = repair([user(), reply("a", "a"), answered("a"), reply()])
    assert [call.id for call in kept.messages[1].tool_calls] == ["a"]
    assert kept.messages[2:] == (answered("a"), reply())
    assert kept.mended == (
        Repair("duplicate", "a call that was made before"),
        Repair("set_aside", "what does not belong into a message of the assistant"),
    )


def test_a_result_that_was_kept_elsewhere_does_not_replace_the_one_in_the_conversation():
    kept = repair([user(), reply("a"), user("Hm."), answered("a")], [ToolResultBlock("a", "9")])
    assert kept.messages == (user(), reply("a"), answered("a"), user("Hm."))
    assert kept.mended == (Repair("moved", "t (a)"),)


def test_an_answer_of_nothing_but_the_providers_own_blocks_stays():
    paused = Message("assistant", (), RAW)
    assert repair([user(), paused, reply()]) == Conversation((user(), paused, reply()), (), ())


def test_an_empty_answer_is_set_aside():
    kept = repair([user(), Message("assistant", ()), reply()])
    assert kept.messages == (user(), reply())
    assert kept.mended == (Repair("set_aside", "what does not belong into a message of the assistant"),)


def test_what_is_no_result_is_taken_out_of_the_answers():
    kept = repair([user(), reply("a"), Message("tool", (ToolResultBlock("a", "7"), TextBlock("and"))), reply()])
    assert kept.messages == (user(), reply("a"), answered("a"), reply())
    assert kept.mended == (Repair("set_aside", "what is no result of a call"),)


def test_an_empty_result_without_its_call_was_aborted():
    kept = repair([user(), answered("x", content=""), reply()])
    assert kept.messages[2].content == (ToolResultBlock("x", ABORTED, is_error=True),)
    assert whats(kept) == ["orphan_result", "empty_result"]


def test_without_calls_that_are_due_no_answer_is_added():
    kept = repair([user(), reply()])
    assert kept.answered({"a": ToolResultBlock("a", "9")}) == (user(), reply())


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
