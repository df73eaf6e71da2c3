"""Checking the functions that belong to a tool: its preview and its reconcile."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import get_type_hints

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import Reconciled, ToolContext


def check_preview(preview: Callable[..., object], names: Sequence[str], where: str) -> None:
    """Check that a preview can be called with the tool's parameters, given by name.

    Raises:
        UsageError: it cannot.
    """
    hints = _hints(preview)
    context = [name for name, hint in hints.items() if hint is ToolContext]
    try:
        inspect.signature(preview).bind(**dict.fromkeys([*names, *context]))
    except TypeError as error:
        raise UsageError(
            f"tool {where}: its preview {_place(preview)} cannot be called with the tool's parameters: {error}",
            hint=f"Its parameters are {', '.join(names) or 'none'}, and one annotated ToolContext where it needs that.",
        ) from error


def check_reconcile(reconcile: Callable[..., object], where: str) -> None:
    """Check that a reconcile is `async def (key, ctx) -> Reconciled`.

    Raises:
        UsageError: it is not.
    """
    if not inspect.iscoroutinefunction(reconcile):
        raise UsageError(f"tool {where}: its reconcile {_place(reconcile)} has to be an async def")
    try:
        inspect.signature(reconcile).bind("key", "context")
    except TypeError as error:
        raise UsageError(f"tool {where}: its reconcile {_place(reconcile)} has to take (key, ctx): {error}") from error
    returned = _hints(reconcile).get("return", Reconciled)
    if returned is not Reconciled:
        raise UsageError(f"tool {where}: its reconcile {_place(reconcile)} has to return Reconciled, not {returned}")


def _hints(function: Callable[..., object]) -> dict[str, object]:
    try:
        return get_type_hints(function)
    except (NameError, TypeError):  # annotations that nothing can look up say nothing
        return {}


def _place(function: Callable[..., object]) -> str:
    name = getattr(function, "__qualname__", repr(function))
    code = getattr(function, "__code__", None)
    return f"{name} ({code.co_filename.rpartition('/')[2]}:{code.co_firstlineno})" if code is not None else name
