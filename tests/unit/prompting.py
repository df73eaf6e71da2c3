"""A run for prompts to be made for."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from finclaw_cli.catalog.exchanges import MarketState
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.engine.context.estimate import estimated_tokens
from finclaw_cli.prompt.additions import Additions
from finclaw_cli.prompt.builder import build_prompt
from finclaw_cli.prompt.section import Profile, PromptContext, PromptSection, SystemPrompt

SEOUL = ZoneInfo("Asia/Seoul")
NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 20, 22, 5, 7, tzinfo=SEOUL)


def tool(name: str, **facts: Any) -> ToolSpec:
    given = {"description": name, "input_schema": {"type": "object"}, "group": "finance", **facts}
    return ToolSpec(name=name, **given)


QUOTE = tool("get_quote", read_only=True)
ORDER = tool("place_order", transactional=True, requires_approval=True)
SHELL = tool("run_command", group="system", requires_approval=True)
TOOLS = (QUOTE, ORDER, SHELL)
OPEN = MarketState(
    code="XNYS",
    name="New York Stock Exchange",
    is_open=True,
    until=datetime(2026, 11, 20, 16, 0, tzinfo=NEW_YORK),
    zone="America/New_York",
    known_by="calendar",
)
CLOSED = MarketState(
    code="XKRX",
    name="Korea Exchange",
    is_open=False,
    until=datetime(2026, 11, 23, 9, 0, tzinfo=SEOUL),
    zone="Asia/Seoul",
    known_by="hours",
)


def run_with(**facts: Any) -> PromptContext:
    """A run with tools; `profile` facts may be given by name, too."""
    of_profile = {
        name: facts.pop(name) for name in list(facts) if name in Profile.__dataclass_fields__ and name != "markets"
    }
    context = PromptContext(now=NOW, zone="Asia/Seoul", tools=TOOLS)
    return replace(context, **{"profile": Profile(**of_profile), **facts})


FULL = run_with(
    profile=Profile(risk_tolerance="moderate", markets=("XNYS", "XKRX"), currency="KRW", language="ko"),
    markets=(OPEN, CLOSED),
    skills="- a: b",
    summary_mark="[Summary]",
    schema="Give JSON.",
)


def made(context: PromptContext = FULL, added: Additions | None = None, budget: int | None = None) -> SystemPrompt:
    return build_prompt(context, added, count=estimated_tokens, budget=budget)


def ids(prompt: SystemPrompt) -> list[str]:
    return [section.id for section in prompt.sections]


def extra(name: str = "house", priority: int = 40, source: str = "plugin:acme") -> PromptSection:
    return PromptSection(id=name, title=name.title(), content=f"{name} says so.", priority=priority, source=source)


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.md").write_text(text, encoding="utf-8")
    return folder
