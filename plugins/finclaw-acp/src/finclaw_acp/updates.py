"""What an editor is shown of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from acp import helpers, schema

from finclaw_acp.changes import change_of
from finclaw_acp.plans import PLAN_TOOL, plans_of
from finclaw_cli import events
from finclaw_cli.sdk.render import bounded, clean, clean_line
from finclaw_cli.sdk.toolsets import ToolSpec

MOST_SHOWN = 100_000
"""Characters of a result."""
_LONGEST_TITLE = 100
STATES: Mapping[str, schema.ToolCallStatus] = {
    "announced": "pending", "requested": "pending", "running": "in_progress", "completed": "completed",
    "skipped": "completed", "recorded": "completed",
}  # fmt: skip
"""Of calls, by what their events have; all others are failed."""


def kind_of(spec: ToolSpec | None) -> schema.ToolKind:
    """The kind of a tool's calls."""
    if spec is None:
        return "other"
    if spec.read_only:
        return "fetch" if spec.external else "read"
    if spec.counted_group == "system":
        properties = spec.input_schema.get("properties")
        return "edit" if isinstance(properties, dict) and "path" in properties else "execute"
    return "execute" if spec.transactional else "other"


def title_of(name: str, given: Mapping[str, object], longest: int = _LONGEST_TITLE) -> str:
    """A call on one line of at most so many characters."""
    shown = ", ".join(f"{key}: {value}" for key, value in given.items())
    return bounded(f"{name} ({shown})" if shown else name, longest)


def locations_of(given: Mapping[str, object], folder: Path) -> list[schema.ToolCallLocation] | None:
    """The file that a call names, for editors that follow along."""
    path = given.get("path")
    return [schema.ToolCallLocation(path=str(folder / path))] if isinstance(path, str) and path else None


class Updates:
    """Turns the events of a session's runs into updates.

    Args of the constructor:
        folder: the working directory of the session, absolute.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._specs: Mapping[str, ToolSpec] = {}
        self._started: set[str] = set()
        self._changing: set[str] = set()
        """Calls that are shown with the change that they make, which their result repeats."""
        self._used, self._window = 0, 0
        self._cost_usd = Decimal(0)

    def begin(self, specs: Sequence[ToolSpec]) -> None:
        """Begin a run with these tools."""
        self._specs = {spec.name: spec for spec in specs}

    def of(self, event: events.Event) -> Iterator[Any]:
        """The updates of an event."""
        match event:
            case events.AgentReasoning():
                yield helpers.update_agent_thought_text(event.text)
            case events.AgentDelta() | events.AgentRetry() | events.AgentFailover() | events.AgentWarning():
                yield helpers.update_agent_message_text(_words(event))
            case events.AgentToolCall():
                yield from plans_of(event.input) if event.name == PLAN_TOOL else self._calls(event)
            case events.ContextWindowStatus():
                self._window = event.window
            case events.AgentTurnComplete() if event.usage is not None:
                self._used = event.usage.total
            case events.AgentResult():
                yield self._usage(event)
            case _:
                pass

    def _usage(self, event: events.AgentResult) -> schema.UsageUpdate:
        """The tokens of the last request and of its window, and what the runs of the connection have cost."""
        self._cost_usd += event.cost_usd or 0
        cost = schema.Cost(amount=float(self._cost_usd), currency="USD")
        return schema.UsageUpdate(
            session_update="usage_update", size=max(self._window, self._used), used=self._used, cost=cost
        )

    def _calls(self, event: events.AgentToolCall) -> Iterator[Any]:
        given = event.input or {}
        status = "failed" if event.is_error else STATES.get(event.status, "failed")
        call, spec = event.call_id, self._specs.get(event.name)
        if call not in self._started:
            self._started.add(call)
            yield helpers.start_tool_call(
                call, title_of(event.name, given), kind=kind_of(spec), status=status,
                content=self._content(event, call, spec), locations=locations_of(given, self._folder),
                raw_input=dict(given) or None,
            )  # fmt: skip
        else:
            yield helpers.update_tool_call(
                call, title=title_of(event.name, given) if given else None, status=status,
                content=self._content(event, call, spec), locations=locations_of(given, self._folder),
                raw_input=dict(given) or None,
            )  # fmt: skip

    def _content(self, event: events.AgentToolCall, call: str, spec: ToolSpec | None) -> list[Any] | None:
        if event.status == "requested" and (change := change_of(spec, event.input or {}, self._folder)) is not None:
            self._changing.add(call)
            return [change]
        is_shown = call in self._changing and event.status == "completed" and not event.is_error
        return None if event.result is None or is_shown else [text_content(event.result)]


def _words(event: events.AgentDelta | events.AgentRetry | events.AgentFailover | events.AgentWarning) -> str:
    """The words of the model; or, as a quotation in Markdown, what finclaw reports between them."""
    match event:
        case events.AgentDelta():
            return event.text
        case events.AgentWarning():
            report = f"Warning: {event.message}"
        case _:
            report = f"{event.message}; the answer begins anew"
    return f"\n\n> {clean_line(report)}\n\n"


def text_content(text: str) -> schema.ContentToolCallContent:
    """A text as the content of a call."""
    shown = clean(text[:MOST_SHOWN]) + ("…" if len(text) > MOST_SHOWN else "")
    return helpers.tool_content(helpers.text_block(shown))
