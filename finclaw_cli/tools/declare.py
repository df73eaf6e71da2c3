"""`@tool`: declares that a function is a tool. Costs nothing until the tool is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TypeVar, overload

from finclaw_cli.core.record import record
from finclaw_cli.core.tool import RECONCILE_AFTER_S, Need, Reconcile, ToolGroup, ToolSpec

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


@record
class ToolAt:
    """A tool in a module that is imported when the tool is described or called: `package.module:function`."""

    place: str

    @property
    def name(self) -> str:
        """The name of the function, which is that of the tool unless `@tool(name=…)` gives it another one."""
        return self.place.rpartition(":")[2]

    def load(self) -> object:
        """Import the module; the marked function."""
        return getattr(import_module(self.place.partition(":")[0]), self.name)


def tools_at(package: str, *places: str) -> list[ToolAt]:
    """Tools for `finclaw_tools` to return, each imported only where it is used.

    Args:
        package: the package that their modules are in.
        *places: `module:function` within it.
    """
    return [ToolAt(f"{package}.{place}") for place in places]


def name_of(offered: object) -> str | None:
    """The name of what a plugin offers as a tool, as far as it is known without importing or defining it."""
    if isinstance(offered, ToolAt | ToolSpec):
        return offered.name
    options = options_of(offered)
    return None if options is None else options.name or getattr(offered, "__name__", None)


def options_of(candidate: object) -> ToolOptions | None:
    """What a function was marked with, or None where it is no tool."""
    found = getattr(candidate, MARK, None)
    return found if isinstance(found, ToolOptions) else None
