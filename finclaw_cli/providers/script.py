"""The file format of scripted models: TOML or JSON.

    [[conversations]]
    match = "portfolio"            # optional: a regular expression the prompt must contain

    [[conversations.turns]]
    text = "Let me look."
    delta_chars = 8                # optional: how long a delta is
    delay_s = 0.01                 # optional: the pause before each delta
    [[conversations.turns.tool_calls]]
    name = "get_quote"
    input = { symbol = "ACME" }

    [[conversations.turns]]
    text = "ACME closed at {{get_quote.data.close}}."
    usage = { input = 120, output = 14 }

A turn may also be a fault: `fault = { reason = "overloaded", after_chars = 10, times = 1 }`. `{{tool.path.to.value}}`
is replaced by what the tool of that name, or the call of that id, answered in this conversation, in words and in the
input of calls, so that even scripted words carry real numbers; `{{…|percent}}` writes a fraction as percent.
`{{prompt.stdin}}` is the text that was piped with the question, `{{prompt.file}}` that of the first file. Where a value
of the text is missing, it is "(unavailable)", or the turn's `otherwise` takes the place of the whole text. Turns at the
top level make one conversation that any prompt starts.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from finclaw_cli.core.errors import ProviderFailure, UsageError
from finclaw_cli.core.files import read_regular
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.usage import StopReason

MAX_BYTES = 100_000_000


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ScriptedCall(_Part):
    """A tool call; `raw_input` instead of `input` sends text that may be no JSON at all."""

    name: str
    input: dict[str, JsonValue] = {}
    raw_input: str | None = None
    id: str | None = None


class ScriptedUsage(_Part):
    """Token counts the turn reports, disjoint."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0


class Fault(_Part):
    """A failure in place of the turn's end: after so many characters, so many times, then the turn succeeds."""

    reason: ProviderFailure
    message: str = "scripted fault"
    after_chars: int = 0
    times: int = 1
    retry_after_s: float | None = None


class ScriptedTurn(_Part):
    """One answer of the model."""

    text: str = ""
    otherwise: str = ""
    reasoning: str = ""
    tool_calls: tuple[ScriptedCall, ...] = ()
    stop_reason: StopReason | None = None
    usage: ScriptedUsage | None = None
    delta_chars: Annotated[int, Field(ge=1)] = 16
    delay_s: Annotated[float, Field(ge=0, le=3600)] = 0.0
    fault: Fault | None = None


class Conversation(_Part):
    """Turns in their order, for the prompts that `match` finds."""

    match: str = ""
    turns: Annotated[tuple[ScriptedTurn, ...], Field(min_length=1)]


class Script(_Part):
    """A whole file."""

    conversations: tuple[Conversation, ...] = ()
    turns: tuple[ScriptedTurn, ...] = ()

    @model_validator(mode="after")
    def _has_turns(self) -> Script:
        if not self.conversations and not self.turns:
            raise ValueError("a script needs turns, or conversations with turns")
        for conversation in self.conversations:
            re.compile(conversation.match)
        return self

    def conversation_for(self, prompt: str) -> tuple[ScriptedTurn, ...]:
        """The turns of the first conversation that the prompt matches, else the top-level turns, else the first."""
        for conversation in self.conversations:
            if conversation.match and re.search(conversation.match, prompt, re.IGNORECASE):
                return conversation.turns
        unconditional = [c.turns for c in self.conversations if not c.match]
        return self.turns or (unconditional[0] if unconditional else self.conversations[0].turns)


def read_script(path: Path) -> Script:
    """Read and check a script.

    Raises:
        UsageError: the file is missing, not TOML or JSON, or not a script.
    """
    try:
        read = read_regular(path, MAX_BYTES + 1)
        if len(read) > MAX_BYTES:
            raise UsageError(f"script {path}: it has more than {MAX_BYTES:,} bytes", code="bad_script")
        text = read.decode("utf-8")
        content = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        return Script.model_validate(content)
    except OSError as error:
        raise UsageError(f"script {path}: {error.strerror}", code="bad_script") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"script {path}: {where}: {first['msg']}", code="bad_script") from error
    except (ValueError, re.error, RecursionError) as error:
        raise UsageError(f"script {path}: {error}", code="bad_script") from error
