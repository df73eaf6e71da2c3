"""What a provider yields, whichever wire it speaks: one vocabulary for all.

The contract that the types cannot hold: `ToolUseStart` and `ToolUseEnd` come exactly once per call, also when a server
interleaves several; `Done` comes exactly once, last, and only after the wire's own terminal marker; a stream that ends
without it raises `ProviderError(code="stream_truncated")`. The engine refuses what contradicts this, with
`stream_malformed`: a chunk after `Done`, a second start of a call, input or an end after a call's end.
"""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import StopReason

# No model's turn has nearly as many. What has more is refused before it fills the memory, or the conversation.
MAX_CALLS = 1_000
MAX_BLOCKS = 10_000


@record
class TextDelta:
    """More of the answer."""

    text: str
    type: Literal["text_delta"] = "text_delta"


@record
class ReasoningDelta:
    """More of the model's thinking; a signature, where one comes, comes last and replaces."""

    text: str
    signature: str | None = None
    type: Literal["reasoning_delta"] = "reasoning_delta"


@record
class ToolUseStart:
    """The model begins a call; its name is known and final."""

    id: str
    name: str
    type: Literal["tool_use_start"] = "tool_use_start"


@record
class ToolInputDelta:
    """A raw piece of the call's JSON, cut anywhere."""

    id: str
    delta: str
    type: Literal["tool_input_delta"] = "tool_input_delta"


@record
class ToolUseEnd:
    """The call's JSON is whole; `invalid` is the reason why its input cannot be used, where that is known already."""

    id: str
    invalid: str | None = None
    type: Literal["tool_use_end"] = "tool_use_end"


@record(kw_only=True)
class UsageReport:
    """What the provider counted so far for this request: newest cumulative values, `None` where there is no value."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None
    cache_write_1h: int | None = None
    type: Literal["usage"] = "usage"


@record(kw_only=True)
class RawTurn:
    """The assistant's turn in the provider's own blocks, to be echoed unchanged on the next request.

    `dialect` and `model` say to whom it may be echoed: thinking is bound to the model that thought it.
    """

    dialect: str
    model: str
    blocks: tuple[JsonObject, ...]


@record(kw_only=True)
class Done:
    """The turn is whole. `detail` keeps the provider's own word where it is more precise than `stop_reason`."""

    stop_reason: StopReason
    raw: RawTurn | None = None
    detail: str | None = None
    type: Literal["done"] = "done"


StreamChunk = TextDelta | ReasoningDelta | ToolUseStart | ToolInputDelta | ToolUseEnd | UsageReport | Done
