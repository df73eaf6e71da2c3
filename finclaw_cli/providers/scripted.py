"""A model whose words are read from a file: for tests, for CI, for trying tools without a key."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import chain
from pathlib import Path

from finclaw_cli.core.chunks import (
    Done,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
    UsageReport,
)
from finclaw_cli.core.errors import ProviderError, UsageError
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.messages import Message, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.providers.script import Fault, Script, ScriptedTurn, read_script

_CALL_ID = re.compile(r"call_([0-9]{1,6})_([0-9]{1,6})")
_PLACEHOLDER = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)((?:\.[A-Za-z0-9_-]+)*)(\|percent)?\s*\}\}")
UNAVAILABLE = "(unavailable)"


class ScriptedProvider:
    """Plays a script: the model's name is the file's path, unless a script was given.

    Which turn is next follows from the conversation itself (how often the assistant has spoken since the user last
    did), so that a repeated request gets the same answer.
    """

    def __init__(self, script: Script | Path | None = None, *, name: str = "scripted") -> None:
        self.name = name
        self._given = script
        self._faults: Counter[Fault] = Counter()
        self._read: dict[Path, Script] = {}

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        turn, place = self._turn(request)
        fault = turn.fault if turn.fault is not None and self._faults[turn.fault] < turn.fault.times else None
        streamed = 0
        for chunk in _chunks(turn, place, request.messages):
            if fault is not None and streamed >= fault.after_chars:
                break
            if turn.delay_s:
                await asyncio.sleep(turn.delay_s)
            streamed += len(chunk.text) if isinstance(chunk, TextDelta) else 0
            yield chunk
        if fault is not None:
            self._faults[fault] += 1
            raise ProviderError(
                fault.message, reason=fault.reason, provider=self.name, retry_after_s=fault.retry_after_s
            )
        if turn.usage is not None:
            yield UsageReport(**turn.usage.model_dump())
        stop = turn.stop_reason or ("tool_use" if turn.tool_calls else "end_turn")
        yield Done(stop_reason=stop)

    async def aclose(self) -> None:
        """Nothing is open."""

    def _turn(self, request: ModelRequest) -> tuple[ScriptedTurn, int]:
        turns = self._script(request.model).conversation_for(_prompt(request.messages))
        place = _spoken(turns, request.messages)
        if place >= len(turns):
            raise ProviderError(
                f"the script has {len(turns)} turns and was asked for one more",
                reason="bad_request",
                code="script_ended",
                provider=self.name,
            )
        return turns[place], place

    def _script(self, model: str) -> Script:
        if isinstance(self._given, Script):
            return self._given
        path = self._given or Path(model).expanduser()
        if path in self._read:
            return self._read[path]
        try:
            return self._read.setdefault(path, read_script(path))
        except UsageError as error:
            raise ProviderError(
                error.message, reason="bad_request", code=error.code, provider=self.name, status=404
            ) from error


def _chunks(turn: ScriptedTurn, place: int, messages: tuple[Message, ...]) -> Iterator[StreamChunk]:
    size = turn.delta_chars
    answers = _answers(messages)
    for piece in _pieces(turn.reasoning, size):
        yield ReasoningDelta(piece)
    for piece in _pieces(_text(turn, answers), size):
        yield TextDelta(piece)
    for number, call in enumerate(turn.tool_calls, start=1):
        call_id = call.id or f"call_{place + 1}_{number}"
        yield ToolUseStart(call_id, call.name)
        raw = call.raw_input if call.raw_input is not None else json.dumps(_filled_input(call.input, answers))
        for piece in _pieces(raw, size):
            yield ToolInputDelta(call_id, piece)
        yield ToolUseEnd(call_id)


def _pieces(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _prompt(messages: tuple[Message, ...]) -> str:
    """The last question of the user."""
    return next((message.text for message in reversed(messages) if message.is_question), "")


def _spoken(turns: Sequence[ScriptedTurn], messages: tuple[Message, ...]) -> int:
    """How many turns it has had since: some may be gone from the conversation, so the ids of its calls tell."""
    count = 0
    for message in reversed(messages):
        if message.is_question:
            break
        if message.role == "assistant":
            count += 1
            if (place := _place(turns, message)) is not None:
                return place + count
    return count


def _place(turns: Sequence[ScriptedTurn], message: Message) -> int | None:
    """Which turn of the script a message with calls was, where the script itself did not name the calls."""
    for call in message.tool_calls:
        if match := _CALL_ID.match(call.id):
            place, number = int(match[1]) - 1, int(match[2]) - 1
            calls = turns[place].tool_calls if 0 <= place < len(turns) else ()
            if 0 <= number < len(calls) and calls[number].id is None:
                return place
    return None


def _text(turn: ScriptedTurn, answers: dict[str, object]) -> str:
    lacks_value = any(_value(found, answers) is None for found in _PLACEHOLDER.finditer(turn.text))
    return _filled(turn.otherwise if turn.otherwise and lacks_value else turn.text, answers)


def _value(placeholder: re.Match[str], answers: dict[str, object]) -> str | None:
    steps = [step for step in placeholder[2].split(".") if step]
    return _at(answers.get(placeholder[1]), steps)


def _filled(text: str, answers: dict[str, object]) -> str:
    def value(found: re.Match[str]) -> str:
        text = _value(found, answers)
        return UNAVAILABLE if text is None else _percent(text) if found[3] else text

    return _PLACEHOLDER.sub(value, text)


def _filled_input(value: JsonValue, answers: dict[str, object]) -> JsonValue:
    match value:
        case str():
            return _filled(value, answers)
        case dict():
            return {key: _filled_input(item, answers) for key, item in value.items()}
        case list():
            return [_filled_input(item, answers) for item in value]
        case _:
            return value


def _percent(fraction: str) -> str:
    """A fraction as percent with two decimals: 0.3604588828 is 36.05 %."""
    try:
        return f"{Decimal(fraction) * 100:.2f} %"
    except InvalidOperation:
        return fraction


def _answers(messages: tuple[Message, ...]) -> dict[str, object]:
    """What each tool answered last, by its name, and each call by its id, parsed where it is JSON; and the prompt."""
    names: dict[str, str] = {}
    answers: dict[str, object] = {"prompt": _given(_prompt(messages))}
    for block in chain.from_iterable(message.content for message in messages if isinstance(message.content, tuple)):
        if isinstance(block, ToolUseBlock):
            names[block.id] = block.name
        elif isinstance(block, ToolResultBlock) and block.tool_use_id in names:
            answers[names[block.tool_use_id]] = answers[block.tool_use_id] = _parsed(block.content)
    return answers


def _given(prompt: str) -> dict[str, object]:
    """What came with a question, by the marks of a prompt: text that was piped, and the first file."""
    found: dict[str, object] = {}
    for name, begins, ends in (("stdin", "<stdin>\n", "\n</stdin>"), ("file", '<file name="', "\n</file>")):
        _, mark, rest = prompt.partition(begins)
        if mark:
            content = rest.partition('">\n')[2] if name == "file" else rest
            found[name] = content.partition(ends)[0]
    return found


def _parsed(content: str) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return content


def _at(value: object, steps: list[str]) -> str | None:
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.lstrip("-").isdigit() and -len(value) <= int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    if value is None:
        return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
