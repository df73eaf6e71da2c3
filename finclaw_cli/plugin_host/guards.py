"""Guards: hooks around a tool call without which the call does not run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

BEFORE, AFTER = "finclaw_before_tool_call", "finclaw_after_tool_call"
MARK = "__finclaw_strict__"
Function = TypeVar("Function", bound=Callable[..., object])


def strict(function: Function) -> Function:
    """Mark a tool hook as a guard: when it raises, the call fails instead of continuing without it."""
    setattr(function, MARK, True)
    return function


def is_guard(implementation: Any) -> bool:
    """Whether a hook, as pluggy registers it, was marked as a guard."""
    return bool(getattr(implementation.function, MARK, False))


def has_guards(hooks: Any) -> bool:
    """Whether any hook of a plugin around tool calls is a guard."""
    return any(is_guard(each) for name in (BEFORE, AFTER) for each in getattr(hooks, name).get_hookimpls())
