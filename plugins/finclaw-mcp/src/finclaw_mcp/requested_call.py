"""A call as a client requests it, in place of a model: a run's prompt names it, and the provider `mcp` asks for it.

So a client's call is an ordinary run, with one turn that calls and one that ends: it is judged, approved, recorded and
replayed as a model's call is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from math import isfinite
from typing import Any

from finclaw_cli.sdk import (
    Done,
    ModelRequest,
    Provider,
    ProviderConfig,
    ProviderError,
    ProviderSpec,
    StreamChunk,
    TextDelta,
    ToolError,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
)

NAME = "mcp"
MODEL = f"{NAME}:client"
MOST_LEVELS = 100
"""How deep arguments may be nested."""
EXACT_DIGITS = 15
"""How many digits of a decimal a binary number has for certain."""


@dataclass(frozen=True)
class RequestedCall:
    """One call of a client."""

    tool: str
    arguments: dict[str, Any]
    client: str
    """The client's name and version, as it gives them."""
    id: str

    def prompt(self) -> str:
        """The prompt of its run: one line of JSON.

        Raises:
            ToolError: BAD_INPUT: the arguments are nested too deeply, or a number of them is not finite or has more
                digits than JSON has brought here unchanged.
        """
        _check(self.arguments)
        return json.dumps({**asdict(self), "sha256": _digest(self.arguments)}, ensure_ascii=False, allow_nan=False)

    @classmethod
    def of(cls, prompt: str) -> RequestedCall:
        """The call of a prompt.

        Raises:
            ProviderError: the prompt names no call, or its arguments were masked.
        """
        try:
            given = json.loads(prompt)
            call, digest = cls(**{name: given[name] for name in cls.__annotations__}), given["sha256"]
        except (ValueError, KeyError, TypeError):
            raise _refused(
                "no_call", "the model mcp:client is for `finclaw mcp serve`: its prompts name calls"
            ) from None
        if digest != _digest(call.arguments):
            raise _refused("secret_in_call", "the arguments have a key in them, which is passed to no tool")
        return call


class RequestedCalls:
    """The provider: it calls what the prompt names, and ends when it has the result."""

    name = NAME

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        """The turn that calls, or the one after it."""
        last = request.messages[-1]
        if last.role == "tool":
            yield TextDelta("The result was returned to the client.")
            yield Done(stop_reason="end_turn")
            return
        call = RequestedCall.of(last.text)
        yield ToolUseStart(call.id, call.tool)
        yield ToolInputDelta(call.id, json.dumps(call.arguments))
        yield ToolUseEnd(call.id)
        yield Done(stop_reason="tool_use")

    async def aclose(self) -> None:
        """Nothing is open."""


def provider() -> ProviderSpec:
    """What finclaw knows of the provider."""
    return ProviderSpec(name=NAME, scripted=True, create=_create)


def _create(_config: ProviderConfig) -> Provider:
    return RequestedCalls()


def _digest(arguments: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()


def _check(value: object, level: int = 1) -> None:
    if isinstance(value, dict | list):
        if level > MOST_LEVELS:
            raise ToolError(f"BAD_INPUT: the arguments are nested more than {MOST_LEVELS} deep. Give flatter ones.")
        for item in value.values() if isinstance(value, dict) else value:
            _check(item, level + 1)
    elif isinstance(value, float) and not isfinite(value):
        raise ToolError("BAD_INPUT: an argument is NaN or too large for a number. Give a finite number.")
    elif isinstance(value, float) and len(Decimal(repr(value)).as_tuple().digits) > EXACT_DIGITS:
        raise ToolError(f"BAD_INPUT: the number {value!r} has more than {EXACT_DIGITS} digits. Write it as a string.")


def _refused(code: str, message: str) -> ProviderError:
    return ProviderError(message, reason="bad_request", code=code, provider=NAME)
