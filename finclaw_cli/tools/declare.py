"""`@tool`: declares that a function is a tool. Costs nothing until the tool is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, overload

from finclaw_cli.core.record import record
from finclaw_cli.core.tool import RECONCILE_AFTER_S, Need, Reconcile, ToolGroup

Function = TypeVar("Function", bound=Callable[..., object])
MARK = "__finclaw_tool__"


@record(kw_only=True)
class ToolOptions:
    """The arguments of `@tool(…)`; everything else is read from the function itself."""

    name: str | None = None
    group: ToolGroup = "custom"
    requires_approval: bool = False
    transactional: bool = False
    sensitive: bool = False
    external: bool = False
    read_only: bool = False
    idempotent: bool = False
    serial: bool = False
    timeout: float | None = None
    reconcile: Reconcile | None = None
    reconcile_after: float = RECONCILE_AFTER_S
    preview: Callable[..., object] | None = None
    needs: tuple[Need, ...] = ()
    examples: tuple[Mapping[str, object], ...] = ()


@overload
def tool(function: Function, /) -> Function: ...


@overload
def tool(
    *,
    name: str | None = None,
    group: ToolGroup = "custom",
    requires_approval: bool = False,
    transactional: bool = False,
    sensitive: bool = False,
    external: bool = False,
    read_only: bool = False,
    idempotent: bool = False,
    serial: bool = False,
    timeout: float | None = None,
    reconcile: Reconcile | None = None,
    reconcile_after: float = RECONCILE_AFTER_S,
    preview: Callable[..., object] | None = None,
    needs: tuple[Need, ...] = (),
    examples: tuple[Mapping[str, object], ...] = (),
) -> Callable[[Function], Function]: ...


def tool(function: Callable[..., object] | None = None, /, **options: object) -> object:
    """Mark a sync or async function (or method) as a tool.

    Its typed parameters become the input schema, its docstring the description, the docstring's `Args:` the
    parameters' descriptions; a parameter annotated `ToolContext` is given by finclaw and not shown to the model.
    It may return a str, a `FinanceResult`, a pydantic model, a dataclass, or anything that JSON can hold; raising
    `ToolError("…")` reports to the model what went wrong.

    Args:
        function: the function, when the decorator is used without arguments.
        **options: see `ToolOptions`; `timeout` and `reconcile_after` are in seconds. `preview` is a function of the
            same parameters that returns, changing nothing, what the call would do: a diff, an order ticket. It is
            shown where the call is approved. `reconcile(key, ctx)` finds out what became of a transactional call by
            its idempotency key; until `reconcile_after` seconds after the call, `not_found` is asked again.
    """

    def mark(target: Callable[..., object]) -> Callable[..., object]:
        setattr(target, MARK, ToolOptions(**options))  # type: ignore[arg-type]  # the overloads checked them
        return target

    return mark if function is None else mark(function)


def options_of(candidate: object) -> ToolOptions | None:
    """What a function was marked with, or None where it is no tool."""
    found = getattr(candidate, MARK, None)
    return found if isinstance(found, ToolOptions) else None
