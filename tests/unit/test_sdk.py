"""The public names: within a version of the contract none leaves."""

from __future__ import annotations

import subprocess
import sys

from finclaw_cli import sdk

NAMES = [
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
    "PROTECTED_NAMES",
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


def test_the_names_are_frozen():
    assert sorted(sdk.__all__) == NAMES
    assert all(hasattr(sdk, name) for name in NAMES)


def imported_by(statement: str) -> set[str]:
    code = f"{statement}; import sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_it_is_cheap():
    heavy = {
        "anthropic",
        "openai",
        "httpx2",
        "rich",
        "jsonschema_rs",
        "tenacity",
        "finclaw_cli.cli",
    }
    assert not imported_by("import finclaw_cli.sdk") & heavy


def test_the_pytest_plugin_imports_nothing_of_finclaw():
    imported = imported_by("import finclaw_cli.testing.plugin")
    assert {name for name in imported if name.startswith("finclaw_cli")} == {
        "finclaw_cli",
        "finclaw_cli.testing",
        "finclaw_cli.testing.plugin",
    }
    assert not imported & {"pytest_asyncio", "pydantic", "typer", "anthropic", "openai"}
