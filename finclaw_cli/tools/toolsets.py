"""The toolsets that the runs of a conversation use: started at the first call, looked at before each turn, stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeVar

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import ToolError, UsageError
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolSpec, declaration, no_progress
from finclaw_cli.core.toolset import PlacedToolSet
from finclaw_cli.tools.bounded import Bounded
from finclaw_cli.tools.processes.termination import end_family
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry

STOP_S = 1.0
"""How long `stop` may take before it is cancelled."""
MAX_PROBLEMS = 20
"""How many tools that cannot be used are named after one look at a toolset."""
MAX_PROBLEM_CHARS = 300
Key = tuple[str, str]
"""A distribution, and the name of its toolset."""
Given = TypeVar("Given")
Result = TypeVar("Result")


@record(kw_only=True)
class Change:
    """What the tools of a run are from now on."""

    registry: ToolRegistry
    """Those that are offered, as `ToolRegistry.only` gives them."""
    offered: tuple[ToolSpec, ...]


class ToolChanges(Protocol):
    """What may change the tools of a run while it goes on."""

    async def changed(self) -> Change | None:
        """The tools from the next turn on; None where they have not changed since the last time."""
        ...

    def take_problems(self) -> list[str]:
        """A line for each tool that turned out to be unusable since the last time."""
        ...

    async def stop(self) -> None:
        """End what was started for the run."""
        ...


class NoChanges:
    """The tools of a run stay as they are."""

    async def changed(self) -> Change | None:
        return None

    def take_problems(self) -> list[str]:
        return []

    async def stop(self) -> None:
        """Nothing was started."""


NO_CHANGES = NoChanges()


class ToolSets:
    """The toolsets of one conversation, whose runs follow one another.

    Args of the constructor:
        installed: all tools.
        make: makes a new object of a toolset: of a distribution, by its name; it may raise `UsageError`.
        offered: which of all tools the model is offered.
        limit_s: how long a run may take, in seconds; nothing that is started goes on for longer.
    """

    def __init__(
        self,
        installed: ToolRegistry,
        *,
        make: Callable[[str, str], PlacedToolSet],
        offered: Callable[[ToolRegistry], tuple[ToolSpec, ...]],
        limit_s: float,
    ) -> None:
        self.registry = installed.loaded_by(self._load)
        """All tools; those of toolsets belong to objects of this conversation."""
        self.offered: tuple[ToolSpec, ...] | None = None
        """What the model is offered now, where that has changed since the conversation began."""
        self._make = make
        self._choose = offered
        self._limit_s = limit_s
        self._made: dict[Key, _Made] = {}
        self._started: dict[Key, _Started] = {}
        self._is_changed = False
        """Whether the caller has added or removed tools since a run last took them up."""

    def add(self, functions: Iterable[ToolDefinition]) -> None:
        """Add tools of the caller; one takes the place of an earlier one of its name."""
        functions = tuple(functions)
        kept = self.registry.without(each.name for each in functions)
        self._offer(kept.with_functions(functions))

    def remove(self, names: Iterable[str]) -> None:
        """Remove tools of the caller.

        Raises:
            UsageError: the caller has added no tool of some name.
        """
        names = tuple(names)
        for name in names:
            self.registry.require_of_caller(name)
        self._offer(self.registry.without(names))

    def _offer(self, registry: ToolRegistry) -> None:
        self.registry = registry
        self.offered = self._choose(registry)
        self._is_changed = True

    def take_up(self) -> bool:
        """Whether the caller has changed the tools since the last run; the next one begins with what is offered now."""
        was_changed, self._is_changed = self._is_changed, False
        return was_changed

    async def changed(self) -> Change | None:
        """The tools from the next turn on; a toolset that fails to say keeps those that it had."""
        changed = [key for key, made in self._made.items() if await made.has_changed()]
        if not (self.take_up() or changed):
            return None
        for key in changed:
            entries = [ToolEntry(spec=each, origin=key[0], load=_unbound) for each in self._made[key].specs]
            self.registry = self.registry.with_toolset(key, entries).loaded_by(self._load)
        self.offered = self._choose(self.registry)
        return Change(registry=self.registry.only(self.offered), offered=self.offered)

    def take_problems(self) -> list[str]:
        return [f"{key[0]}: {line}" for key, made in self._made.items() for line in made.take_problems()]

    async def stop(self) -> None:
        """Stop what was started for the run; the next run starts it again."""
        started, self._started = self._started, {}
        async with asyncio.TaskGroup() as group:
            for each in started.values():
                group.create_task(each.stop())

    def _load(self, entry: ToolEntry) -> ToolDefinition:
        """A tool; one of a toolset is that of the conversation's object, which its first call starts.

        Raises:
            UsageError: it cannot be imported, or is there no more.
        """
        if not entry.spec.toolset:
            return entry.load()
        key = (entry.origin, entry.spec.toolset)
        if key not in self._made:
            self._made[key] = _Made(self._make(*key), self._specs(key))
        return self._starting(key, self._made[key].tool(entry.spec.name))

    def _specs(self, key: Key) -> tuple[ToolSpec, ...]:
        return tuple(each.spec for each in self.registry.entries if (each.origin, each.spec.toolset) == key)

    def _starting(self, key: Key, tool: ToolDefinition) -> ToolDefinition:
        def starting(work: Callable[[Given, ToolContext], Awaitable[Result]]) -> Callable[..., Awaitable[Result]]:
            async def started(given: Given, context: ToolContext) -> Result:
                await self._ready(key, context)
                return await work(given, context)

            return started

        return replace(
            tool,
            handler=starting(tool.handler),
            preview=tool.preview and starting(tool.preview),
            reconcile=tool.reconcile and starting(tool.reconcile),
        )

    async def _ready(self, key: Key, context: ToolContext) -> None:
        if key not in self._started or self._started[key].is_over:
            self._started[key] = _Started(self._made[key].toolset, context, self._limit_s)
        await self._started[key].ready()


class _Made:
    """An object of a toolset, and what is known of its tools."""

    def __init__(self, toolset: PlacedToolSet, specs: tuple[ToolSpec, ...]) -> None:
        self.toolset = toolset
        self.specs = specs
        """As they are offered."""
        self._tools, self._problems = toolset.tools()
        self._named: set[str] = set()

    async def has_changed(self) -> bool:
        """Look at the tools again. Those of a plugin that is not trusted stay: by them calls are judged."""
        if not all(spec.is_trusted for spec in self.specs):
            return False
        try:
            self._tools, self._problems = await in_own_thread(self.toolset.tools)
        except UsageError as error:
            self._problems = [f"its tools stay as they were: {error.message}"]
        before, self.specs = self.specs, tuple(sorted(map(declaration, self._tools), key=lambda spec: spec.name))
        return before != self.specs

    def take_problems(self) -> list[str]:
        """What was found wrong and not named before, at most some lines of it."""
        found = (clean_line(line)[:MAX_PROBLEM_CHARS] for line in self._problems[:MAX_PROBLEMS])
        new = [line for line in found if line not in self._named]
        self._named.update(new)
        self._problems = []
        return new

    def tool(self, name: str) -> ToolDefinition:
        """The tool of that name.

        Raises:
            UsageError: there is none any more.
        """
        for tool in self._tools:
            if tool.name == name:
                return tool
        raise UsageError(f"its toolset no longer has the tool {name!r}")


class _Started:
    """A toolset from `start` to `stop`, which one task calls; what it starts ends with it."""

    def __init__(self, toolset: PlacedToolSet, context: ToolContext, limit_s: float) -> None:
        self._toolset = toolset
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ready.add_done_callback(lambda ready: ready.cancelled() or ready.exception())  # perhaps none waits
        self._wanted_end = asyncio.Event()
        self._work = Bounded()
        own = replace(context, progress=no_progress, cancelled=asyncio.Event())
        self._task = asyncio.create_task(self._live(own, limit_s))

    @property
    def is_over(self) -> bool:
        return self._task.done() or (self._ready.done() and self._ready.exception() is not None)

    async def ready(self) -> None:
        """Wait until its tools can be called; a call whose time is up leaves the start to the next one.

        Raises:
            Exception: what `start` raised.
        """
        await asyncio.shield(self._ready)

    async def stop(self) -> None:
        """Stop it, by force where it does not."""
        self._wanted_end.set()
        await asyncio.wait({self._task}, timeout=STOP_S)
        self._work.stop()
        await asyncio.wait({self._task})
        await end_family(self._work.family)

    async def _live(self, context: ToolContext, limit_s: float) -> None:
        error: Exception = ToolError("it ended before its tools could be called")
        try:
            await self._work(partial(self._hold, context), limit_s)
        except Exception as raised:  # noqa: BLE001 - for the calls that wait
            error = raised
        if not self._ready.done():
            self._ready.set_exception(error)

    async def _hold(self, context: ToolContext) -> None:
        try:
            await self._toolset.start(context)
            self._ready.set_result(None)
            await self._wanted_end.wait()
        finally:
            await self._toolset.stop()


def _unbound() -> ToolDefinition:  # pragma: no cover - `loaded_by` replaces it
    raise UsageError("the tool of a toolset is loaded by `ToolSets`")
