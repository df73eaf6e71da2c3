"""What went wrong with a server, as the error of a tool."""

from __future__ import annotations

from collections.abc import Callable

import mcp_types as types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from finclaw_cli.sdk import OutcomeUnknown, ToolError
from finclaw_cli.sdk.render import bounded

UNDEFINED = "something that the protocol does not define"


class RequestErrors:
    """Turns the exceptions of one request into those of a tool."""

    def __init__(self, details: Callable[[], str], *, is_repeatable: bool) -> None:
        self._details = details
        self._is_repeatable = is_repeatable

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, ValidationError):
            raise ToolError(f"the server sent {UNDEFINED}", outage=True) from error
        if isinstance(error, MCPError):
            raise self._translated(error) from error

    def _translated(self, error: MCPError) -> ToolError:
        if error.error.code != types.CONNECTION_CLOSED:
            message = bounded(error.error.message, 500)
            return ToolError(f"the server answered with the error {error.error.code}: {message}{self._details()}")
        text = f"the server ended before it answered{self._details()}"
        return ToolError(text, outage=True) if self._is_repeatable else OutcomeUnknown(f"{text}.", outage=True)


def reason_of(error: BaseException) -> str:
    """The first cause of an error, on one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, ValidationError):
        return f"it sent {UNDEFINED}"
    text = error.error.message if isinstance(error, MCPError) else str(error)
    return bounded(text or type(error).__name__, 500)
