"""What an editor is shown of the messages of a session that it opens again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from acp import helpers, schema

from finclaw_acp.plans import PLAN_TOOL, plans_of
from finclaw_acp.updates import text_content, title_of
from finclaw_cli.sdk.sessions import Message, ToolResultBlock


def kept_updates(messages: Iterable[Message]) -> Iterator[Any]:
    """The updates that show recorded messages again."""
    planning: set[str] = set()
    for message in messages:
        if message.is_question:
            yield helpers.update_user_message_text(message.text)
            continue
        if message.role == "assistant" and message.text:
            yield helpers.update_agent_message_text(message.text)
        for call in message.tool_calls:
            if call.name == PLAN_TOOL:
                planning.add(call.id)
                yield from plans_of(call.input)
            else:
                yield helpers.start_tool_call(
                    call.id, title_of(call.name, call.input), status="pending", raw_input=dict(call.input)
                )
        yield from (result for result in _results_of(message) if result.tool_call_id not in planning)


def _results_of(message: Message) -> Iterator[schema.ToolCallProgress]:
    blocks = () if isinstance(message.content, str) else message.content
    for block in blocks:
        if isinstance(block, ToolResultBlock):
            yield helpers.update_tool_call(
                block.tool_use_id,
                status="failed" if block.is_error else "completed",
                content=[text_content(block.content)],
            )
