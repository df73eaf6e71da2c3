"""Which calls of a session have begun, how they ended, and which ends are unknown: from the records around them.

An intent means that a call was about to run. Where one may be among records that were damaged, whether its call ran is
as unknown as if it were there without an outcome: better a person is asked than something is done twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from finclaw_cli.core import exits
from finclaw_cli.core.json_text import ExactObject, InvalidJson, JsonObject, parse_object
from finclaw_cli.core.messages import OUTCOME_UNKNOWN, Message, ToolResult, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.ports import Earlier
from finclaw_cli.transcript.lines import Line


@dataclass(slots=True)
class OpenCalls:
    """What the records so far say of the calls in them, by the ids of the calls."""

    by_id: dict[str, Earlier] = field(default_factory=dict)
    untold: dict[str, str] = field(default_factory=dict)
    """The tools of calls that may have done something, and which no result has reported as unknown yet."""
    intents: dict[str, ToolUseBlock] = field(default_factory=dict)
    """The calls that were about to run, as their records have them."""
    _open: dict[str, str] = field(default_factory=dict)
    """The tools of the calls that were asked for last and have no answer yet."""
    _named: tuple[object, ...] = ()
    """The tools whose unknown outcomes the last result has named."""
    _ended_unknown: set[str] = field(default_factory=set)
    """The ids of calls of which it is recorded that they ended with an unknown outcome."""

    def add_message(self, message: Message) -> None:
        """A message of the conversation: it asks for calls, or answers some."""
        if message.role == "assistant":
            self._open = {call.id: call.name for call in message.tool_calls}
        for result in _results(message):
            self._open.pop(result.tool_use_id, None)
            if result.content != OUTCOME_UNKNOWN and result.tool_use_id not in self._ended_unknown:
                self.untold.pop(result.tool_use_id, None)

    def intended(self, line: Line) -> None:
        """A call is about to run."""
        key, call_id, name = (str(line.data.get(name)) for name in ("key", "call_id", "name"))
        self.intents[call_id] = ToolUseBlock(call_id, name, _input_of(line.data))
        repeatable = _is_repeatable(line.data)
        before = self.by_id.get(call_id)
        attempts = 1 if before is None else before.attempts + 1
        self.by_id[call_id] = Earlier(key=key, call_id=call_id, repeatable=repeatable, began=line.at, attempts=attempts)
        self._ended_unknown.discard(call_id)
        if repeatable:
            self.untold.pop(call_id, None)
        else:
            self.untold[call_id] = name

    def ended(self, line: Line) -> None:
        """A call has run, or it is settled that it has not."""
        call_id, content = str(line.data.get("call_id")), line.data.get("content")
        if not isinstance(content, str):
            return
        if line.data.get("unknown") is True:
            self._ended_unknown.add(call_id)
            return
        result = ToolResult(call_id, content, line.data.get("is_error") is True)
        begun = self.by_id.get(call_id, Earlier(key=None, call_id=call_id, repeatable=None))
        self.by_id[call_id] = replace(begun, result=result)
        self.untold.pop(call_id, None)

    def damaged(self) -> None:
        """Records are missing here: any call that is open may have begun among them."""
        for call_id, name in self._open.items():
            if call_id not in self.by_id:
                self.by_id[call_id] = Earlier(key=None, call_id=call_id, repeatable=None)
                self.untold[call_id] = name

    def run_ended(self, names: object, exit_code: object) -> None:
        """Read a result, which names unknown outcomes; they count as reported with the exit code for them."""
        self._named = tuple(names) if exit_code == exits.NEEDS_HUMAN and isinstance(names, list) else ()

    def reported(self) -> None:
        """Read that the last result has reached its outputs."""
        self.untold = {call_id: name for call_id, name in self.untold.items() if name not in self._named}

    def outcomes(self) -> Iterator[ToolResult]:
        """The results that were kept, and the text in place of unknown ones."""
        for begun in self.by_id.values():
            if begun.result is not None:
                yield begun.result
            elif not begun.repeatable:
                yield ToolResult(begun.call_id, OUTCOME_UNKNOWN, is_error=True)


def _is_repeatable(intent: JsonObject) -> bool:
    """`ToolSpec.is_repeatable`, of a recorded intent."""
    is_harmless = intent.get("read_only") is True or intent.get("idempotent") is True
    return is_harmless and intent.get("transactional") is not True


def _input_of(intent: JsonObject) -> ExactObject:
    """The input of a recorded intent; empty where it has none that can be read."""
    try:
        return parse_object(str(intent.get("input")))
    except InvalidJson:
        return {}


def _results(message: Message) -> Iterable[ToolResultBlock]:
    if message.role != "tool" or isinstance(message.content, str):
        return ()
    return (block for block in message.content if isinstance(block, ToolResultBlock))
