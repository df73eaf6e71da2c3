"""The messages of a run on stderr: steps, warnings, errors, and the totals."""

from __future__ import annotations

import json
from typing import assert_never, cast

from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.events.agent import (
    AgentFailover,
    AgentResult,
    AgentRetry,
    AgentStart,
    AgentToolCall,
    AgentTurnComplete,
    AgentTurnStart,
    AgentWarning,
    Emitted,
    Event,
)
from finclaw_cli.core.events.approval import AgentApproval, AgentApprovalRequest
from finclaw_cli.core.events.context import ContextCompact, ContextCompactFallback, ContextThreshold
from finclaw_cli.core.events.internal import ExecutionLane, ToolOutcomeRequest, ToolOutcomeTold, ToolProgress
from finclaw_cli.core.events.parts import ENDED
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.money import usd
from finclaw_cli.core.record import record
from finclaw_cli.output.call_progress import ProgressLines
from finclaw_cli.output.notice import error_text, notice, warn

MAX_INPUT_CHARS = 120
# The interval of a running tool's reports: where each step is shown, and elsewhere.
STEPS_EVERY_S = 0.5
LINE_EVERY_S = 5.0


# Warnings that `quiet` does not suppress: of lost data and unknown outcomes.
NEVER_SILENT = frozenset({"session_mended", "outcome_unknown"})


@record(kw_only=True)
class Verbosity:
    """The amount of messages: errors alone (`quiet`), the important ones, or each step (`steps`)."""

    quiet: bool = False
    steps: bool = False
    progress: bool = True
    """Whether to write reports of running tools, because stdout does not show them."""
    live: bool = True
    """Whether tools run now: a replay has their recorded results."""
    spoken: bool = True
    """Whether to write the model's text between tool calls, because stdout does not show it."""


class Notices:
    """An event sink for stderr."""

    takes_deltas = False

    def __init__(self, verbosity: Verbosity) -> None:
        self._verbosity = verbosity
        self._calls = CallLines()
        self._reports = ProgressLines(STEPS_EVERY_S if verbosity.steps else LINE_EVERY_S)
        self._scripted_model = ""
        self._has_noted_scripted = False
        self._window_line = ""
        self._questions = 0
        self._held: list[Emitted] = []

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        if isinstance(event, AgentApprovalRequest | ToolOutcomeRequest):
            self._questions += 1
        elif isinstance(event, AgentApproval | ToolOutcomeTold):
            self._questions -= 1
        if isinstance(event, AgentToolCall) and event.status in ENDED:
            self._reports.forget(event.call_id)
        if isinstance(event, AgentResult):
            self._questions = 0  # a cancelled question gets no answer
            self._flush()
            self._result(event)
        elif self._questions:  # nothing is written between a question and its answer
            self._held.append(emitted)
        else:
            self._flush()
            self._filter(emitted)

    def _flush(self) -> None:
        held, self._held = self._held, []
        for emitted in held:
            self._filter(emitted)

    def _filter(self, emitted: Emitted) -> None:
        event = emitted.event
        if not self._verbosity.quiet or (isinstance(event, AgentWarning) and event.code in NEVER_SILENT):
            self._write(emitted)

    def _write(self, emitted: Emitted) -> None:
        match emitted.event:
            case AgentStart() as event:
                self._start(event)
            case AgentTurnStart():
                self._note_scripted()
            case AgentWarning() as event:
                warn(event.message)
            case AgentRetry() | AgentFailover() as event:
                _write_setback(event)
            case ContextThreshold() | ContextCompact() | ContextCompactFallback() as event:
                self._window(event)
            case AgentTurnComplete() as event if self._verbosity.spoken:
                _spoken(event)
            case ToolProgress() as event if self._verbosity.progress:
                _write(self._reports.line(event, emitted.at))
            case _:
                self._step(emitted.event)

    def _start(self, event: AgentStart) -> None:
        self._scripted_model = event.models[0] if event.scripted else ""
        for plugin in event.plugins_failed:
            notice(clean_line(f"finclaw: plugin {plugin.name} was left out: {plugin.error}"))

    def _note_scripted(self) -> None:
        """At the first request: a run that ends before it has no words."""
        if self._scripted_model and self._verbosity.live and not self._has_noted_scripted:
            self._has_noted_scripted = True
            notice(f"finclaw: the words of {self._scripted_model} are scripted; its tools really run")

    def _window(self, event: ContextThreshold | ContextCompact | ContextCompactFallback) -> None:
        line = window_line(event)
        if line and line != self._window_line:  # two thresholds passed at once are one message
            notice(line)
        self._window_line = line

    def _step(self, event: Event) -> None:
        match event:
            case AgentToolCall(status="announced") if self._verbosity.steps:
                notice(clean_line(f"… {event.name}"))
            case AgentToolCall() if self._verbosity.steps:
                _write(self._calls.line(event))
            case ExecutionLane(step="queued") if self._verbosity.steps:
                notice(f"… waiting for another run of {event.agent_id}")
            case _:
                pass

    def _result(self, event: AgentResult) -> None:
        if event.error is not None:
            notice(error_text(event.error))
        elif event.exit_code == exits.NEEDS_HUMAN:
            _needs_human(event)
        elif event.exit_code:
            notice(f"finclaw: the answer is not whole: the model stopped with {event.stop_reason!r}")
        if self._verbosity.steps and event.turns:
            notice(status_line(event))


def _write(line: str | None) -> None:
    if line:
        notice(line)


def _write_setback(event: AgentRetry | AgentFailover) -> None:
    match event:
        case AgentRetry():
            notice(f"… {event.message}; trying again in {event.delay_s:.1f} s")
        case AgentFailover():
            notice(f"… {event.message}; going on with {event.model_to}")
        case _:
            assert_never(event)


def window_line(event: ContextThreshold | ContextCompact | ContextCompactFallback) -> str:
    """The change of the context window in one line; empty where there is nothing to report."""
    match event:
        case ContextThreshold(direction="up"):
            return f"… the window of {event.model} is {event.ratio:.0%} full"
        case ContextThreshold():
            return ""
        case ContextCompact():
            return _made_smaller(event)
        case ContextCompactFallback():
            return f"… {event.reason}"
        case _:
            assert_never(event)


def _made_smaller(event: ContextCompact) -> str:
    """The result of a compaction in one line."""
    is_summed_up = any(step.startswith("summarize") for step in event.steps)
    by = f", summed up by {event.summary_model}" if is_summed_up else ""
    return (
        f"… made room: {event.before:,} tokens became {event.after:,} ({', '.join(event.steps)}{by}); "
        "the whole conversation stays in the transcript"
    )


def _needs_human(event: AgentResult) -> None:
    if event.denied:
        notice(f"finclaw: not run for want of approval: {', '.join(event.denied)}")
    if event.unknown:
        notice(f"finclaw: the outcome is unknown of: {', '.join(event.unknown)}; find out before you ask for it again")


def _spoken(event: AgentTurnComplete) -> None:
    """Write the text before tool calls; the final answer goes to stdout."""
    if event.stop_reason != "tool_use":
        return
    blocks = cast("list[JsonObject]", event.message["content"])
    text = "".join(str(block["text"]) for block in blocks if block.get("type") == "text").strip()
    if text:
        notice(text)


class CallLines:
    """One line for each call when it ends: tool, arguments, status, duration."""

    def __init__(self) -> None:
        self._inputs: dict[str, JsonObject] = {}

    def line(self, event: AgentToolCall) -> str | None:
        """The line, or None while the call has not ended."""
        if event.status == "requested":
            self._inputs[event.call_id] = event.input or {}
        if event.status not in ENDED:
            return None
        arguments = self._inputs.pop(event.call_id, {})
        given = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
        given = given if len(given) <= MAX_INPUT_CHARS else given[:MAX_INPUT_CHARS] + "…"
        worked = event.status in {"completed", "skipped", "recorded"}
        why = "" if worked else f": {(event.result or '').partition(chr(10))[0][:200]}"
        mark = "✓" if worked else "✗"
        return clean_line(f"{mark} {event.name}({given}) {event.status}, {event.duration_ms or 0} ms{why}")


def status_line(event: AgentResult) -> str:
    """Turns, calls, tokens, cost and session of a run, in one line."""
    calls = sum(event.tool_calls.values())
    parts = [
        f"{event.turns} turn{'s' * (event.turns != 1)}",
        f"{calls} tool call{'s' * (calls != 1)}",
        f"{event.usage.total:,} tokens" if event.usage is not None else "" if event.scripted else "tokens unknown",
        _cost(event),
        f"{event.duration_ms / 1000:.1f} s",
        event.session_id,
    ]
    return " · ".join(part for part in parts if part)


def _cost(event: AgentResult) -> str:
    if event.scripted and not event.cost_usd:
        return "scripted, no cost"
    if event.cost_usd is None:
        return "cost unknown"
    return f"{'about ' if event.estimated else ''}{usd(event.cost_usd)}"
