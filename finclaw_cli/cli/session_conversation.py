"""A conversation as people read it: words, and each call beside its result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.json_text import plain
from finclaw_cli.core.messages import ContentBlock, Message, Role, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.record import record
from finclaw_cli.core.secrets import PROCESS


@record
class Words:
    """What somebody said."""

    role: Role
    text: str


@record
class Call:
    """A call with its result; one of them may be lost."""

    call: ToolUseBlock | None
    result: ToolResultBlock | None

    @property
    def name(self) -> str:
        """What was called, on one line."""
        return line(self.call.name) if self.call else "(a call that was lost)"

    @property
    def arguments(self) -> str | None:
        """What it was called with, as indented JSON; None where the call was lost."""
        if self.call is None:
            return None
        return fit(json.dumps(plain(self.call.input), indent=2, ensure_ascii=False))


Spoken = Words | Call


def fit(text: str) -> str:
    """Text of a session as it may be shown: without secrets, controls and lone surrogates."""
    return clean(PROCESS.mask(text))


def line(text: str) -> str:
    """The same on one line."""
    return clean_line(PROCESS.mask(text))


def spoken(messages: Iterable[Message]) -> Iterator[Spoken]:
    """What was said and called, in order. Thinking is left out; never more than one turn is held."""
    said: Message | None = None
    results: list[ToolResultBlock] = []
    for message in messages:
        if message.role == "tool":
            results += map(_as_result, _blocks(message))
        else:
            yield from _turn(said, results)
            said, results = message, []
    yield from _turn(said, results)


def _turn(said: Message | None, results: list[ToolResultBlock]) -> Iterator[Spoken]:
    answers: dict[str, ToolResultBlock] = {}
    lost = [result for result in results if answers.setdefault(result.tool_use_id, result) is not result]
    for block in _blocks(said) if said else ():
        match block:
            case TextBlock(text) if said and text.strip():
                yield Words(said.role, fit(text))
            case ToolUseBlock():
                yield Call(block, answers.pop(block.id, None))
            case ToolResultBlock():
                lost.append(block)
            case _:
                pass
    yield from (Call(None, result) for result in (*answers.values(), *lost))


def _blocks(message: Message) -> tuple[ContentBlock, ...]:
    return (TextBlock(message.content),) if isinstance(message.content, str) else message.content


def _as_result(block: ContentBlock) -> ToolResultBlock:
    return block if isinstance(block, ToolResultBlock) else ToolResultBlock("", getattr(block, "text", ""))
