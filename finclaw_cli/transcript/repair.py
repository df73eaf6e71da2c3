"""Makes a conversation one that every provider takes, whatever was lost of it. Pure: messages in, messages out.

Valid is: the user speaks first; each call has an id of its own; the message after the one with calls answers each of
them once, and nothing else does; no message is empty. What cannot be kept is set aside and reported, never silently.
The calls at its very end may wait for their answers still: they are due, and the run that continues decides about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import Literal

from finclaw_cli.core.messages import ContentBlock, Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.record import record

UNAVAILABLE = "[Tool result unavailable]"
ABORTED = "[Execution aborted]"
UNKNOWN_TOOL = "unknown_tool"

What = Literal[
    "unanswered_call",
    "empty_result",
    "orphan_result",
    "duplicate",
    "moved",
    "set_aside",
    "refused_name",
    "uninstalled_tool",
]


@record
class Repair:
    """One thing that was not as it has to be; `what` also names what was done about it."""

    what: What
    detail: str
    record: int | None = None
    """The number of the record that it is about, where the messages come from records."""


@record
class Conversation:
    """Messages that can be sent on once the calls that are `due` have been answered."""

    messages: tuple[Message, ...]
    due: tuple[ToolUseBlock, ...]
    mended: tuple[Repair, ...]
    """What had to be mended; nothing, where it was valid."""

    def answered(self, results: Mapping[str, ToolResultBlock], otherwise: str = UNAVAILABLE) -> tuple[Message, ...]:
        """The messages with an answer to each call that is due: its result, or these words in its place."""
        if not self.due:
            return self.messages
        given = (results.get(call.id) or ToolResultBlock(call.id, otherwise, is_error=True) for call in self.due)
        return *self.messages, Message("tool", tuple(given))


def repair(
    messages: Sequence[Message],
    outcomes: Iterable[ToolResultBlock] = (),
    *,
    intended: Mapping[str, ToolUseBlock] = MappingProxyType({}),
    records: Sequence[int] = (),
) -> Conversation:
    """The conversation as it can go on.

    Args:
        messages: the conversation, in order.
        outcomes: results that were kept elsewhere; used for calls that were answered nowhere.
        intended: calls that were kept elsewhere, by their ids; used for results without a call.
        records: the number of the record of each message, where they come from records.
    """
    mender = _Repairer(messages, outcomes, intended)
    for message, number in zip_longest(messages, records):
        mender.take(message, number)
    mender.end()
    return Conversation(tuple(mender.messages), mender.due, tuple(mender.mended))


class _Repairer:
    def __init__(
        self, messages: Sequence[Message], outcomes: Iterable[ToolResultBlock], intended: Mapping[str, ToolUseBlock]
    ) -> None:
        self._intended = intended
        self._record: int | None = None
        """The record of the message that is looked at."""
        self._asked_in: int | None = None
        """The record of the calls that are due."""
        self._answered = {result.tool_use_id for result in _results(messages)}
        self._results: dict[str, ToolResultBlock] = {}
        for result in chain(_results(messages), outcomes):
            self._results.setdefault(result.tool_use_id, result)
        self._called = {call.id for message in messages if message.role == "assistant" for call in message.tool_calls}
        self._known: set[str] = set()
        self.due: tuple[ToolUseBlock, ...] = ()
        self.messages: list[Message] = []
        self.mended: list[Repair] = []

    def take(self, message: Message, record: int | None) -> None:
        """Put a message to the others, if it can be."""
        self._record = record
        if message.role == "tool":
            self._tool(message)
            return
        self.answer()
        if message.role == "user":
            self._speak(message, _only(message, TextBlock))
        elif message.role == "assistant" and self.messages:
            self._speak(message, self._with_new_calls(_without(message, ToolResultBlock)))
        else:
            self._say("set_aside", "an answer before any question" if message.role == "assistant" else message.role)

    def end(self) -> None:
        """Nothing follows: calls whose answer stood before them get it, others stay due."""
        if any(call.id in self._answered for call in self.due):
            self.answer()

    def answer(self, given: Message | None = None) -> None:
        """Answer the calls that are due: with the message that answers them, or with what can be found."""
        calls, self.due = self.due, ()
        if not calls:
            return
        due = {call.id for call in calls}
        taken = [result for result in _results([given] if given else []) if self._is_answer(result, due)]
        there = {result.tool_use_id for result in taken}
        taken += [self._found(call) for call in calls if call.id not in there]
        results = tuple(map(self._not_empty, taken))
        self.messages.append(given if given and given.content == results else Message("tool", results))

    def _is_answer(self, result: ToolResultBlock, due: set[str]) -> bool:
        if result.tool_use_id not in due:
            return False
        due.discard(result.tool_use_id)
        return True

    def _found(self, call: ToolUseBlock) -> ToolResultBlock:
        result = self._results.get(call.id)
        what: What = "unanswered_call" if result is None else "moved"
        self.mended.append(Repair(what, f"{call.name} ({call.id})", self._asked_in))
        return result or ToolResultBlock(call.id, UNAVAILABLE, is_error=True)

    def _not_empty(self, result: ToolResultBlock) -> ToolResultBlock:
        if result.content:
            return result
        self._say("empty_result", result.tool_use_id)
        return replace(result, content=ABORTED, is_error=True)

    def _speak(self, message: Message, kept: Message) -> None:
        # A turn that is paused may have nothing but blocks of the provider's own, which is to go on from them.
        is_empty = not kept.content and kept.raw is None
        if kept is not message or is_empty:
            self._say("set_aside", f"what does not belong into a message of the {message.role}")
        if not is_empty:
            self.messages.append(kept)
            self.due, self._asked_in = kept.tool_calls, self._record
            self._known |= {call.id for call in self.due}

    def _tool(self, message: Message) -> None:
        """Take the answers to the calls that are due; the others are elsewhere, there twice, or of no call."""
        due = {call.id for call in self.due}
        self.answer(message)
        if not message.content or isinstance(message.content, str) or _only(message, ToolResultBlock) is not message:
            self._say("set_aside", "what is no result of a call")
        for result in _results([message]):
            if result.tool_use_id in due:
                due.discard(result.tool_use_id)
            elif result.tool_use_id not in self._known | self._called:
                self._orphan(result)
            elif result is not self._results[result.tool_use_id]:
                self._say("duplicate", f"the result of {result.tool_use_id}")

    def _orphan(self, result: ToolResultBlock) -> None:
        """Give a result without a call one; the first message has to be the user's, though."""
        if not self.messages:
            self._say("set_aside", f"the result of {result.tool_use_id}, before any question")
            return
        intended = self._intended.get(result.tool_use_id)
        named = f"{intended.name} ({result.tool_use_id})" if intended else result.tool_use_id
        self._say("orphan_result", named)
        self._known.add(result.tool_use_id)
        call = intended or ToolUseBlock(result.tool_use_id, UNKNOWN_TOOL, {})
        self.messages += [Message("assistant", (call,)), Message("tool", (self._not_empty(result),))]

    def _with_new_calls(self, message: Message) -> Message:
        seen = set(self._known)

        def is_new(block: ContentBlock) -> bool:
            if not isinstance(block, ToolUseBlock):
                return True
            is_known = block.id in seen
            seen.add(block.id)
            return not is_known

        kept = _filtered(message, is_new)
        if kept is not message:
            self._say("duplicate", "a call that was made before")
        return kept

    def _say(self, what: What, detail: str) -> None:
        self.mended.append(Repair(what, detail, self._record))


def _results(messages: Iterable[Message]) -> Iterator[ToolResultBlock]:
    for message in messages:
        if message.role == "tool" and not isinstance(message.content, str):
            yield from (block for block in message.content if isinstance(block, ToolResultBlock))


def _only(message: Message, kind: type[ContentBlock]) -> Message:
    return _filtered(message, lambda block: isinstance(block, kind))


def _without(message: Message, kind: type[ContentBlock]) -> Message:
    return _filtered(message, lambda block: not isinstance(block, kind))


def _filtered(message: Message, keeps: Callable[[ContentBlock], bool]) -> Message:
    """The message with some of its blocks, and then without the provider's own; itself where all are kept."""
    if isinstance(message.content, str):
        return message
    kept = tuple(block for block in message.content if keeps(block))
    return message if len(kept) == len(message.content) else Message(message.role, kept)
