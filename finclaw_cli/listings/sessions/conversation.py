"""A conversation for display: texts, and each call with its result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.json_text import plain
from finclaw_cli.core.messages import ContentBlock, Message, Role, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.record import record
from finclaw_cli.core.secrets import PROCESS
from finclaw_cli.listings.sessions.decisions import Decision


@record
class Words:
    """The text of a message."""

    role: Role
    text: str


@record
class Call:
    """A call with its result; one of them may be missing."""

    call: ToolUseBlock | None
    result: ToolResultBlock | None
    decisions: tuple[str, ...] = ()
    """The answers to its requests for an approval, each on one line."""

    @property
    def name(self) -> str:
        """The name of the tool, on one line."""
        return line(self.call.name) if self.call else "(a call that was lost)"

    @property
    def arguments(self) -> str | None:
        """The arguments as indented JSON; None where the call is missing."""
        if self.call is None:
            return None
        return fit(json.dumps(plain(self.call.input), indent=2, ensure_ascii=False))


Spoken = Words | Call


def fit(text: str) -> str:
    """Text of a session for display: without secrets, controls and lone surrogates."""
    return clean(PROCESS.mask(text))


def line(text: str) -> str:
    """The same on one line."""
    return clean_line(PROCESS.mask(text))


def spoken(conversation: Iterable[Message | Decision]) -> Iterator[Spoken]:
    """The texts and calls in order, without thinking; no more than one turn is held."""
    message_before: Message | None = None
    results: list[ToolResultBlock] = []
    decisions: list[Decision] = []
    for item in conversation:
        if isinstance(item, Decision):
            decisions.append(item)
        elif item.role == "tool":
            results += map(_as_result, _blocks(item))
        else:
            yield from _turn(message_before, results, decisions)
            message_before, results, decisions = item, [], []
    yield from _turn(message_before, results, decisions)


def _turn(message: Message | None, results: list[ToolResultBlock], decisions: Sequence[Decision]) -> Iterator[Spoken]:
    answers: dict[str, ToolResultBlock] = {}
    lost = [result for result in results if answers.setdefault(result.tool_use_id, result) is not result]
    for block in _blocks(message) if message else ():
        match block:
            case TextBlock(text) if message and text.strip():
                yield Words(message.role, fit(text))
            case ToolUseBlock():
                texts = tuple(line(each.text) for each in decisions if each.call_id == block.id)
                yield Call(block, answers.pop(block.id, None), texts)
            case ToolResultBlock():
                lost.append(block)
            case _:
                pass
    yield from (Call(None, result) for result in (*answers.values(), *lost))


def _blocks(message: Message) -> tuple[ContentBlock, ...]:
    return (TextBlock(message.content),) if isinstance(message.content, str) else message.content


def _as_result(block: ContentBlock) -> ToolResultBlock:
    return block if isinstance(block, ToolResultBlock) else ToolResultBlock("", getattr(block, "text", ""))
