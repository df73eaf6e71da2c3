"""The user's messages, one after another."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from finclaw_cli.app.front import Continuation, Prompt
from finclaw_cli.cli.run.stdin_lines import MAX_LINE_BYTES, StdinLines
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import well_formed
from finclaw_cli.engine.cancel import CancelScope, RunCancelled


async def one_prompt(prompt: str | Continuation) -> AsyncIterator[Prompt]:
    """A single message."""
    yield prompt


async def prompts_from_stdin(lines: StdinLines, scope: CancelScope) -> AsyncIterator[Prompt]:
    """The messages from NDJSON on stdin: `{"type": "user", "text": "…"}`, one a line.

    An invalid line is yielded as an error, which is the last item.
    """
    asked = 0
    while True:
        try:
            line = await scope.run(lines.message())
            if line is None:
                break
            prompt = _message(line, asked + 1)
        except (RunCancelled, UsageError) as error:
            yield error
            return
        asked += 1
        yield prompt
    if not asked:
        yield UsageError(
            "no message came on stdin",
            hint='One line a message: {"type": "user", "text": "How did ACME do in May?"}',
            code="no_prompt",
        )


def _message(line: bytes, number: int) -> str:
    if len(line) > MAX_LINE_BYTES:
        raise UsageError(f"message {number} on stdin is longer than {MAX_LINE_BYTES:,} bytes", code="bad_message")
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"message {number} on stdin is not JSON: {error}", code="bad_message") from error
    if isinstance(message, dict) and message.get("type") == "user" and "text" not in message:
        raise UsageError(
            f'message {number} on stdin has no "text"',
            hint='A message is {"type": "user", "text": "…"}.',
            code="bad_message",
        )
    if not isinstance(message, dict) or message.get("type") != "user" or not isinstance(message.get("text"), str):
        raise UsageError(
            f"message {number} on stdin is no user message",
            hint='A message is {"type": "user", "text": "…"}.',
            code="bad_message",
        )
    text = well_formed(message["text"])
    if not text.strip():
        raise UsageError(f"message {number} on stdin is empty", code="no_prompt")
    return text
