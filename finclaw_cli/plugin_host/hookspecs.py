"""The hooks that a plugin may implement, in one class. All are optional.

Contract version 1. A plugin made for another one declares it with a module attribute `FINCLAW_CONTRACT`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pluggy
import typer

from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Skip
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.core.toolset import ToolSet
from finclaw_cli.policy.rules import PolicyRule
from finclaw_cli.prompt.section import PromptContext, PromptSection
from finclaw_cli.providers.config import ProviderSpec

PROJECT = "finclaw"
CONTRACT = 1

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Hooks:
    """The hooks that finclaw calls."""

    @hookspec
    def finclaw_tools(self) -> Sequence[object]:  # type: ignore[empty-body]
        """Tools: functions marked with `@tool`, `ToolDefinition`s, or objects whose methods are marked."""

    @hookspec
    def finclaw_toolsets(self) -> Sequence[ToolSet]:  # type: ignore[empty-body]
        """Tools of something that has to be started, and that may change; new objects with each call of the hook."""

    @hookspec
    def finclaw_providers(self) -> Sequence[ProviderSpec]:  # type: ignore[empty-body]
        """Further model providers; `create` is called only when one of their models is used."""

    @hookspec
    def finclaw_skills(self) -> Sequence[Path]:  # type: ignore[empty-body]
        """Folders with skills: each is a folder that has a `SKILL.md`, or a folder of such folders."""

    @hookspec
    def finclaw_policy_rules(self) -> Sequence[PolicyRule]:  # type: ignore[empty-body]
        """Rules for the policy. They can only make it stricter: rules that allow are left out."""

    @hookspec
    def finclaw_prompt_sections(self, context: PromptContext) -> Sequence[PromptSection]:  # type: ignore[empty-body]
        """Sections for the system prompt, in addition to finclaw's own. Called for trusted plugins only.

        None of them may replace another one, or be required.
        """

    @hookspec
    def finclaw_before_tool_call(self, call: ToolCall, context: ToolContext) -> ToolCall | Skip | None:
        """Before a call runs, approvals given: change its input, or `Skip` it. Sync or async; None leaves it as it is.

        Changed input is checked, judged and, where needed, asked about anew.
        """

    @hookspec
    def finclaw_after_tool_call(self, call: ToolCall, result: ToolResult, context: ToolContext) -> ToolResult | None:
        """After a call has ended: change its result, or only look at it. Sync or async."""

    @hookspec
    def finclaw_commands(self, app: typer.Typer) -> None:
        """Add Typer commands or groups to `app`; they become commands of `finclaw`."""

    @hookspec
    def finclaw_event(self, run_id: str, event: Event) -> None:
        """Receive every event of every run. An exception is reported once, and the run continues."""


HOOK_NAMES: tuple[str, ...] = tuple(name for name in vars(Hooks) if name.startswith("finclaw_"))
