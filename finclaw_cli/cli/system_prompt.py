"""What the model is told before the conversation: by the user, or by finclaw itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.discovery.skills import NAME as LOAD_SKILL
from finclaw_cli.discovery.skills import Skills
from finclaw_cli.prompt.default import default_prompt
from finclaw_cli.prompt.skills import skills_section
from finclaw_cli.runner.answer import AnswerSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptBasis:
    """What a system prompt is made from, beside what is installed: kept with a run, so that it can be made again."""

    given: str | None
    """The user's own, in place of finclaw's."""
    for_this_run: bool
    """Whether it was given for the one run, and not by the settings."""
    today: date
    """In the user's time zone, or the date that was asked for."""


def system_prompt(basis: PromptBasis, skills: Skills, tools: Collection[ToolSpec], schema: JsonObject | None) -> str:
    """The whole system prompt of a run."""
    text = basis.given
    if text is None:
        offered = any(tool.name == LOAD_SKILL for tool in tools)
        text = default_prompt(basis.today, skills_section(skills.usable.values()) if offered else "")
    if schema is not None:
        text = f"{text}\n\n{AnswerSchema(schema).instruction}"
    return text.strip()
