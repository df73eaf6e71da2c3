"""What an editor is shown of a run, and of the messages of a session that it opens again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from acp import helpers, schema

from finclaw_cli import events
from finclaw_cli.sdk.render import bounded, clean
from finclaw_cli.sdk.sessions import Message, ToolResultBlock
from finclaw_cli.sdk.toolsets import ToolSpec

MOST_SHOWN = 100_000
"""Characters of a result."""
_LONGEST_TITLE = 100
AGAIN = "\n\n[the request failed, and the answer begins anew]\n\n"
STATES: Mapping[str, schema.ToolCallStatus] = {
    "announced": "pending", "requested": "pending", "running": "in_progress", "completed": "completed",
}  # fmt: skip
"""Of calls, by what their events have; all others are failed."""


def kind_of(spec: ToolSpec | None) -> schema.ToolKind:
    """The kind of a tool's calls."""
    if spec is None:
        return "other"
    if spec.read_only:
        return "fetch" if spec.external else "read"
    return "execute" if spec.transactional or spec.group == "system" else "other"


def title_of(name: str, given: Mapping[str, object]) -> str:
    """A call on one line."""
    shown = ", ".join(f"{key}: {value}" for key, value in given.items())
    return bounded(f"{name} ({shown})" if shown else name, _LONGEST_TITLE)


def locations_of(given: Mapping[str, object], folder: Path) -> list[schema.ToolCallLocation] | None:
    """The file that a call names, for editors that follow along."""
    path = given.get("path")
    return [schema.ToolCallLocation(path=str(folder / path))] if isinstance(path, str) and path else None


class Updates:
    """Turns the events of a session's runs into updates.

    Args of the constructor:
        specs: the tools, by name.
        folder: the working directory of the session, absolute.
    """

    def __init__(self, specs: Mapping[str, ToolSpec], folder: Path) -> None:
        self._specs = specs
        self._folder = folder
        self._started: set[str] = set()
        self._used, self._window = 0, 0
        self._cost_usd = Decimal(0)

    def of(self, event: events.Event) -> Iterator[Any]:
        """The updates of an event."""
        match event:
            case events.AgentDelta():
                yield helpers.update_agent_message_text(event.text)
            case events.AgentReasoning():
                yield helpers.update_agent_thought_text(event.text)
            case events.AgentRetry() | events.AgentFailover():
                yield helpers.update_agent_message_text(AGAIN)
            case events.AgentToolCall():
                yield self._call(event)
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

    def _call(self, event: events.AgentToolCall) -> Any:
        given = event.input or {}
        status = STATES.get(event.status, "failed")
        if event.is_error:
            status = "failed"
        if event.call_id not in self._started:
            self._started.add(event.call_id)
            return helpers.start_tool_call(
                event.call_id, title_of(event.name, given), kind=kind_of(self._specs.get(event.name)), status=status,
                locations=locations_of(given, self._folder), raw_input=dict(given) or None,
            )  # fmt: skip
        result = None if event.result is None else [text_content(event.result)]
        return helpers.update_tool_call(
            event.call_id, title=title_of(event.name, given) if given else None, status=status, content=result,
            locations=locations_of(given, self._folder), raw_input=dict(given) or None,
        )  # fmt: skip


def text_content(text: str) -> schema.ContentToolCallContent:
    """A text as the content of a call."""
    shown = clean(text[:MOST_SHOWN]) + ("…" if len(text) > MOST_SHOWN else "")
    return helpers.tool_content(helpers.text_block(shown))


def updates_of(message: Message) -> Iterator[Any]:
    """The updates that show a recorded message again."""
    if message.is_question:
        yield helpers.update_user_message_text(message.text)
        return
    if message.role == "assistant" and message.text:
        yield helpers.update_agent_message_text(message.text)
    for call in message.tool_calls:
        yield helpers.start_tool_call(
            call.id, title_of(call.name, call.input), status="pending", raw_input=dict(call.input)
        )
    blocks = () if isinstance(message.content, str) else message.content
    for result in (block for block in blocks if isinstance(block, ToolResultBlock)):
        yield helpers.update_tool_call(
            result.tool_use_id,
            status="failed" if result.is_error else "completed",
            content=[text_content(result.content)],
        )
