"""What plugin authors import: this module, and nothing else of finclaw.

Its names are frozen: within a major version nothing leaves and nothing changes its meaning. Importing it is cheap.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.core.chunks import (
    Done,
    RawTurn,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
    UsageReport,
)
from finclaw_cli.core.errors import OutcomeUnknown, ProviderError, ToolError, UsageError
from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.finance import FinanceResult, Instrument, Method, Period, Source, no_data
from finclaw_cli.core.messages import (
    ContentBlock,
    Message,
    TextBlock,
    ToolCall,
    ToolResult,
    ToolResultBlock,
    ToolUseBlock,
)
from finclaw_cli.core.ports import ModelRequest, Provider, Skip
from finclaw_cli.core.programs import find_program
from finclaw_cli.core.protected_names import PROTECTED_NAMES, comparable_name, is_protected_name
from finclaw_cli.core.tool import Need, PlainText, Reconciled, ToolContext, ToolDefinition
from finclaw_cli.core.toolset import ToolSet
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.output.progress import Step, shown_progress
from finclaw_cli.plugin_host.extensions import Extension
from finclaw_cli.plugin_host.guards import strict
from finclaw_cli.plugin_host.hookspecs import hookimpl
from finclaw_cli.policy.rules import PolicyRule
from finclaw_cli.prompt.section import PromptContext, PromptSection
from finclaw_cli.providers.compatible import compatible_provider
from finclaw_cli.providers.config import ProviderConfig, ProviderSpec
from finclaw_cli.settings.paths import home as finclaw_home
from finclaw_cli.tools.declare import ToolAt, tool, tools_at
from finclaw_cli.tools.processes.program import ProcessEnd, run_process


def extensions(group: str) -> list[Extension]:
    """What installed distributions bring for a plugin, by entry points of its own group.

    Args:
        group: its name begins with `finclaw_`, for the user to find it: `finclaw_market.datasets`.
    """
    from finclaw_cli.plugin_host.extensions import extensions_of
    from finclaw_cli.plugin_host.trust import TRUST, TrustStore

    return extensions_of(group, TrustStore(finclaw_home() / TRUST), finclaw_home() / "cache" / "bytecode")


def scripted_provider(script: Path, *, name: str) -> Provider:
    """A model that plays a script (see `finclaw_cli.providers.script`): for demos and for tests without a key."""
    from finclaw_cli.providers.scripted import ScriptedProvider

    return ScriptedProvider(script, name=name)


@contextmanager
def show_progress(unit: str = "") -> Iterator[Step]:
    """Show on stderr how far a command has come: a bar on a terminal, elsewhere a line every few seconds.

    The block gets `step(message, done, total)`, which may be called as often as is convenient, from one thread.
    `unit` names what is counted (`rows`). What the block itself prints would be drawn over: print it afterwards.
    """
    from finclaw_cli.settings.load import load_settings

    try:
        plain = load_settings().settings.plain
    except UsageError:
        plain = False  # broken settings are for the command to report, where it needs them
    with shown_progress(unit, plain=plain) as step:
        yield step


__all__ = [
    "PROTECTED_NAMES",
    "ContentBlock",
    "Done",
    "Event",
    "Extension",
    "FinanceResult",
    "Instrument",
    "Message",
    "Method",
    "ModelRequest",
    "Need",
    "OutcomeUnknown",
    "Period",
    "PlainText",
    "PolicyRule",
    "ProcessEnd",
    "PromptContext",
    "PromptSection",
    "Provider",
    "ProviderConfig",
    "ProviderError",
    "ProviderSpec",
    "RawTurn",
    "ReasoningDelta",
    "Reconciled",
    "Skip",
    "Source",
    "StreamChunk",
    "TextBlock",
    "TextDelta",
    "ToolAt",
    "ToolCall",
    "ToolContext",
    "ToolDefinition",
    "ToolError",
    "ToolInputDelta",
    "ToolResult",
    "ToolResultBlock",
    "ToolSet",
    "ToolUseBlock",
    "ToolUseEnd",
    "ToolUseStart",
    "UsageReport",
    "comparable_name",
    "compatible_provider",
    "echo",
    "echo_table",
    "extensions",
    "finclaw_home",
    "find_program",
    "hookimpl",
    "is_protected_name",
    "no_data",
    "run_process",
    "scripted_provider",
    "show_progress",
    "strict",
    "tool",
    "tools_at",
]
