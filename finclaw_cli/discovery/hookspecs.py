"""The hooks that a plugin may implement, in one class. All are optional.

Contract version 1. A plugin made for another one says so with a module attribute `FINCLAW_CONTRACT`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pluggy
import typer

from finclaw_cli.core.events import Event
from finclaw_cli.providers.config import ProviderSpec

PROJECT = "finclaw"
CONTRACT = 1

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Hooks:
    """What finclaw asks of its plugins."""

    @hookspec
    def finclaw_tools(self) -> Sequence[object]:  # type: ignore[empty-body]
        """Tools: functions marked with `@tool`, `ToolDefinition`s, or objects whose methods are marked."""

    @hookspec
    def finclaw_providers(self) -> Sequence[ProviderSpec]:  # type: ignore[empty-body]
        """Further model providers; `create` is called only when one of their models is used."""

    @hookspec
    def finclaw_commands(self, app: typer.Typer) -> None:
        """Add Typer commands or groups to `app`; they become commands of `finclaw`."""

    @hookspec
    def finclaw_event(self, run_id: str, event: Event) -> None:
        """Hear every event of every run. What is raised here is reported once and harms nothing."""


HOOK_NAMES: tuple[str, ...] = tuple(name for name in vars(Hooks) if name.startswith("finclaw_"))
# Hooks that take part in every run, so that a plugin with one of them is imported when a run starts.
RUN_HOOKS: frozenset[str] = frozenset({"finclaw_event"})
