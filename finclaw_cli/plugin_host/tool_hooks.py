"""The hooks of plugins around a call, which may change its input, skip it, or change its result.

Each plugin's hooks are called separately, in order, each with the result of the previous one; wrappers enclose the
others. A hook that raises is reported and left out of the call, unless it is a guard (`@strict`): then the call does
not run.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from finclaw_cli.core.errors import FinclawError, UsageError
from finclaw_cli.core.interruption import plugin_code
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Skip
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.plugin_host.guards import AFTER, BEFORE, is_guard
from finclaw_cli.plugin_host.manager import PluginManager
from finclaw_cli.plugin_host.manifest import PluginManifest
from finclaw_cli.tools.bounded import bounded

HOOK_S = 60.0
"""How long an async hook may take."""


class GuardFailed(FinclawError):
    """A hook that guards calls failed, so the call must not go on."""

    code = "guard_failed"


@record
class _Hook:
    """One plugin's implementation of one hook."""

    dist: str
    implementation: Any

    def begin(self, arguments: Mapping[str, object]) -> Any:
        """Call it with those of the arguments that it asks for."""
        wanted = self.implementation.argnames
        return self.implementation.function(**{name: arguments[name] for name in wanted if name in arguments})

    @property
    def guards(self) -> bool:
        return is_guard(self.implementation)

    @property
    def place(self) -> int:
        """Pluggy's order: `tryfirst` before the others, `trylast` after them."""
        return bool(self.implementation.trylast) - bool(self.implementation.tryfirst)


class PluginHooks:
    """The tool hooks of the plugins that the user trusts, imported at the first call."""

    def __init__(self, plugins: PluginManager, report: Callable[[str], None]) -> None:
        self._plugins = plugins
        self._report = report
        self._with_hooks = [m for m in plugins.manifests if {BEFORE, AFTER} & set(m.hooks) and plugins.trusts(m)]
        self._loaded: list[tuple[str, Any]] | None = None

    async def before(self, call: ToolCall, context: ToolContext) -> ToolCall | Skip:
        current: ToolCall | Skip = call

        def take(answered: object) -> None:
            nonlocal current
            if isinstance(answered, Skip):
                current = answered
            elif isinstance(answered, ToolCall):
                current = replace(call, input=answered.input)  # whose call it is, a hook has no say in

        plain, wrappers = self._hooks(BEFORE)
        started = self._start(wrappers, {"call": call, "context": context})
        for hook in plain:
            if isinstance(current, Skip):
                break
            take(await self._answer(hook, {"call": current, "context": context}))
        for hook, generator in reversed(started):
            take(self._finish(hook, generator, current))
        return current

    async def after(self, call: ToolCall, result: ToolResult, context: ToolContext) -> ToolResult:
        current = result

        def take(answered: object) -> None:
            nonlocal current
            if isinstance(answered, ToolResult):
                current = replace(answered, tool_use_id=call.id)

        plain, wrappers = self._hooks(AFTER)
        started = self._start(wrappers, {"call": call, "result": result, "context": context})
        for hook in plain:
            take(await self._answer(hook, {"call": call, "result": current, "context": context}))
        for hook, generator in reversed(started):
            take(self._finish(hook, generator, current))
        return current

    def _hooks(self, name: str) -> tuple[list[_Hook], list[_Hook]]:
        """The implementations that stand alone, and those that stand around the others."""
        if self._loaded is None:
            self._loaded = [loaded for manifest in self._with_hooks if (loaded := self._load(manifest))]
        found = [_Hook(dist, impl) for dist, hooks in self._loaded for impl in getattr(hooks, name).get_hookimpls()]
        found.sort(key=lambda hook: hook.place)
        return (
            [hook for hook in found if not hook.implementation.wrapper],
            [hook for hook in found if hook.implementation.wrapper],
        )

    def _load(self, manifest: PluginManifest) -> tuple[str, Any] | None:
        try:
            return manifest.dist, self._plugins.hooks(manifest)
        except UsageError as error:
            if manifest.guards:
                raise GuardFailed(error.message) from error
            self._report(error.message)
            return None

    async def _answer(self, hook: _Hook, arguments: Mapping[str, object]) -> object:
        answer: object = None
        with self._watched(hook):
            answer = hook.begin(arguments)
            if inspect.isawaitable(answer):
                answer = await bounded(answer, HOOK_S)
        return answer

    def _start(self, wrappers: list[_Hook], arguments: Mapping[str, object]) -> list[tuple[_Hook, Any]]:
        started = []
        for hook in wrappers:
            with self._watched(hook):
                generator = hook.begin(arguments)
                next(generator)
                started.append((hook, generator))
        return started

    def _finish(self, hook: _Hook, generator: Any, current: object) -> object:
        answer: object = None
        with self._watched(hook):
            try:
                generator.send(current)
            except StopIteration as ended:
                answer = ended.value
        return answer

    @contextmanager
    def _watched(self, hook: _Hook) -> Iterator[None]:
        try:
            with plugin_code():
                yield
        except Exception as error:
            message = f"plugin {hook.dist} failed around a tool call: {error!r}"
            if hook.guards:
                raise GuardFailed(message) from error
            self._report(message)
