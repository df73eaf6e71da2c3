"""Whatever the conversation, the target and the summariser: what is made smaller is still a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import event, given, settings
from hypothesis import strategies as st

from finclaw_cli.core.messages import SUMMARY_MARK, Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.engine.context.compact import CompactionResult
from finclaw_cli.engine.context.parts import parted
from finclaw_cli.engine.context.shorten import TRUNCATED, without_result
from finclaw_cli.engine.context.steps import Strategy
from tests.examples import MANY
from tests.unit.test_compaction import (
    STRATEGIES,
    cancels_itself,
    count,
    empty,
    fails,
    hangs,
    longer,
    never,
    nothing,
    reasons,
    short,
    small,
)
from tests.unit.test_repair_conversation import problems


async def rambling(messages: Sequence[Message], room: int) -> str:
    """Shorter than what it sums up, and mostly longer than its room."""
    return "Acme sold for 42.10 dollars. 애플은 3.5 % 올랐다.\n" * max(count(messages) // 25, 1)


async def endless(messages: Sequence[Message], room: int) -> str:
    """The same without any place where it could be cut."""
    return "word " * max(count(messages) * 2 // 3, 1)


async def for_little(messages: Sequence[Message], room: int) -> str:
    if len(messages) > 6:
        raise RuntimeError("too long")
    return "Some."


HELPLESS = (fails, empty, nothing, longer, cancels_itself)
SUMMARISERS = (short, rambling, endless, for_little, *HELPLESS)
WORDS = ("애플의 3분기 매출은 얼마였나요? ", "What did Acme sell for? ", "42.10 ", '{"close": "42.10"}\n', "a")
texts = st.builds(lambda word, times: word * times, st.sampled_from(WORDS), st.sampled_from((1, 10, 40, 80)))
summaries = texts.map(lambda text: Message("user", f"{SUMMARY_MARK}\n{text}"))


@st.composite
def histories(draw: st.DrawFn, begun: int = 0) -> list[Message]:
    """Exchanges, the last of which may still be going on; earlier summaries at the front or behind the first question."""
    talk = [draw(summaries)] if draw(st.integers(0, 4)) == 0 else []
    exchanges = draw(st.sampled_from((1, 3, 6)))
    for number in range(begun, begun + exchanges):
        talk.append(Message("user", draw(texts)))
        if number == begun and draw(st.booleans()):
            talk.append(draw(summaries))
        for turn in range(draw(st.integers(0, 5))):
            talk += draw(calls(f"c{number}_{turn}_"))
        if number < begun + exchanges - 1 or draw(st.booleans()):
            talk.append(Message("assistant", (TextBlock(draw(texts)),)))
    return talk


@st.composite
def calls(draw: st.DrawFn, prefix: str) -> list[Message]:
    """Calls at once, and their results."""
    ids = [f"{prefix}{number}" for number in range(draw(st.integers(1, 3)))]
    uses = tuple(ToolUseBlock(call, "price", {"symbol": "ACME"}) for call in ids)
    results = tuple(ToolResultBlock(call, draw(texts), draw(st.booleans())) for call in ids)
    return [Message("assistant", (TextBlock("Well."), *uses)), Message("tool", results)]


@dataclass(frozen=True)
class Asked:
    """What was asked of a compaction."""

    talk: list[Message]
    target: int
    keep: int

    @property
    def questions(self) -> list[Message]:
        """The first one and the current one."""
        asked = [message for message in self.talk if message.is_question]
        return [asked[0], asked[-1]]

    def compacted(self, strategy: Strategy, summarize: object) -> CompactionResult:
        return small(self.talk, self.target, strategy, summarize, keep_recent=self.keep)


@st.composite
def requests(draw: st.DrawFn) -> Asked:
    """Mostly a target that can be met: somewhere between what has to stay and what there is."""
    talk, keep = draw(histories()), draw(st.integers(0, 8))
    parts = parted(talk, keep)
    floor = count(parts.messages) - count(parts.old)
    target = floor + int((count(talk) - floor) * draw(st.sampled_from((-0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0))))
    return Asked(talk, max(target, 0), keep)


def has(messages: Sequence[Message], wanted: Message) -> bool:
    """Whether this very object is among them."""
    return any(message is wanted for message in messages)


def check(asked: Asked, result: CompactionResult) -> None:
    """What holds whichever way is taken."""
    said, talk = result.messages, asked.talk
    assert problems(said) == []
    assert all(has(said, question) for question in asked.questions)
    recent = talk[len(talk) - min(asked.keep, len(talk)) :]
    assert all(one is other for one, other in zip(reversed(said), reversed(recent), strict=False))
    assert len(said) >= len(recent)
    whole = [place for message in said for place, each in enumerate(talk) if each is message]
    assert whole == sorted(whole)
    assert (result.before, result.after) == (count(talk), count(said))
    assert 0 <= result.after <= result.before
    assert result.removed == len(talk) - len(said) + bool(result.summary)
    assert result.removed >= 0
    parts = parted(talk, asked.keep)
    floor = [item.message for item in parts.items if item.rank is None]
    left = [message for message in said if has(floor, message) or not message.is_summary]
    assert result.after <= asked.target or (left == floor and len(said) <= len(floor) + 1)
    assert bool(result.steps) == (said != tuple(talk))


@given(requests(), st.sampled_from(STRATEGIES), st.sampled_from(SUMMARISERS))
def test_it_stays_valid_and_fits_or_is_as_small_as_it_can_be(asked: Asked, strategy: Strategy, summarize: object):
    result = asked.compacted(strategy, summarize)
    event(f"{result.steps}")
    check(asked, result)


@settings(max_examples=MANY)
@given(requests())
def test_dropping_takes_the_oldest_and_keeps_what_there_is_room_for(asked: Asked):
    result = asked.compacted("truncate-oldest", never)
    check(asked, result)
    parts = parted(asked.talk, asked.keep)
    cut = [message for message in result.messages if not has(asked.talk, message)]
    assert all(message.is_summary and message.text.endswith(" …") for message in cut)
    assert len(cut) <= 1
    gone = {rank for rank in parts.ranks if not has(result.messages, parts.of({rank})[0])}
    older = [rank for rank in parts.ranks if rank < max(gone, default=0)]
    assert not gone or count(parts.without(older).messages) > asked.target
    left = asked.target - result.after
    could_come_back = [count(parts.of({rank})) for rank in gone if parts.needs.get(rank) not in gone]
    rounded = 1 + len(parts.ranks)
    assert cut or all(size + rounded > left for size in could_come_back)
    assert cut or left <= 0.1 * asked.target + rounded or min(could_come_back) > 0.1 * asked.target


@settings(max_examples=MANY)
@given(requests())
def test_results_are_shortened_one_at_a_time_before_anything_is_dropped(asked: Asked):
    result = asked.compacted("truncate-tools", never)
    check(asked, result)
    old = [message for message in parted(asked.talk, asked.keep).old if message.role == "tool"]
    results = {block.tool_use_id: block for message in old for block in message.content}
    shortened = [
        (message, number, results[block.tool_use_id])
        for message in result.messages
        if message.role == "tool"
        for number, block in enumerate(message.content)
        if block.tool_use_id in results and block is not results[block.tool_use_id]
    ]
    assert all(message.content[number].content == TRUNCATED for message, number, _ in shortened)
    if "truncate-oldest" in result.steps:
        assert all(without_result(message, 0) is message for message in result.messages if has(old, message))
        return
    gained = [
        count([Message("tool", (was,))]) - count([Message("tool", (message.content[number],))])
        for message, number, was in shortened
    ]
    left, rounded = asked.target - result.after, 2 + len(results)
    assert all(size + rounded > left for size in gained)
    assert left <= 0.1 * asked.target + rounded or min(gained, default=0) > 0.1 * asked.target


@settings(max_examples=MANY)
@given(requests())
def test_a_summary_takes_the_place_of_the_oldest_and_of_no_more_than_is_needed(asked: Asked):
    result = asked.compacted("summarize", short)
    check(asked, result)
    if result.steps != ("summarize",):
        return
    parts = parted(asked.talk, asked.keep)
    gone = [rank for rank in parts.ranks if not any(has(result.messages, each) for each in parts.of({rank}))]
    summary = next(message for message in result.messages if not has(asked.talk, message))
    assert [message for message in result.messages if message is not summary] == list(parts.without(gone).messages)
    assert summary.is_summary
    newest = max(set(gone) - parts.summaries(), default=-1)
    assert all(rank in gone for rank in parts.ranks if rank < newest)
    left, rounded = asked.target - result.after, 1 + len(parts.ranks)
    if newest >= 0 and newest == max(gone):
        size = count(parts.of({newest}))
        assert size + rounded > left
        assert left <= 0.1 * asked.target + rounded or size > 0.1 * asked.target


@given(requests(), st.sampled_from(HELPLESS), st.sampled_from(["summarize", "hybrid"]))
def test_a_summariser_that_is_no_help_leaves_what_needs_no_model(asked: Asked, summarize: object, strategy: Strategy):
    """First all at once, then the first of several pieces, then nobody is asked any more."""
    result = asked.compacted(strategy, summarize)
    check(asked, result)
    assert set(result.steps) <= {"truncate-tools", "truncate-oldest"}
    assert result.summary == ""
    assert len(reasons(result)) <= 2
    assert [said.split(" of part ")[0] for said in reasons(result)[1:]] in ([], ["the summary"])


@given(requests(), histories(begun=10), st.sampled_from(STRATEGIES), st.sampled_from((short, rambling, *HELPLESS)))
def test_what_was_compacted_can_be_compacted_again(
    asked: Asked, more: list[Message], strategy: Strategy, summarize: object
):
    first = asked.compacted(strategy, short)
    again = Asked([*first.messages, *more], asked.target, asked.keep)
    result = again.compacted(strategy, summarize)
    check(again, result)
    if result.summary:
        staying = [item.message for item in parted(again.talk, again.keep).items if item.rank is None]
        assert sum(each.is_summary for each in result.messages if not has(staying, each)) == 1


@given(requests())
def test_compacting_what_fits_now_changes_nothing(asked: Asked):
    first = asked.compacted("hybrid", rambling)
    again = Asked(list(first.messages), asked.target, asked.keep).compacted("hybrid", never)
    assert first.after > asked.target or again.messages == first.messages


def test_a_summariser_that_hangs_is_waited_for_no_longer_than_is_said():
    talk = [Message("user", "Why? " * 40), *(Message("assistant", (TextBlock("word " * 90),)) for _ in range(20))]
    asked = Asked(talk, 900, 2)
    result = asked.compacted("summarize", hangs)
    check(asked, result)
    assert ["took longer than" in said for said in reasons(result)] == [True, True]
    assert result.steps == ("truncate-oldest",)
