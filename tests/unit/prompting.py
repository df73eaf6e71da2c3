"""A run for prompts to be made for."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from finclaw_cli.catalog.exchanges import MarketState
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.prompt.section import Profile, PromptContext

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
