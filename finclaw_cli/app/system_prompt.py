"""The system prompt: the user's own, or finclaw's sections."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from finclaw_cli.app.local_time import local_now, market_states, zone_name
from finclaw_cli.app.offered_tools import tool_groups
from finclaw_cli.catalog.exchanges import MarketState
from finclaw_cli.core.environment import environment
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import SUMMARY_MARK, Message
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.engine.answer import AnswerSchema
from finclaw_cli.engine.context.estimate import estimated_tokens
from finclaw_cli.plugin_host.manager import PluginManager
from finclaw_cli.plugin_host.plugin_sections import plugin_sections
from finclaw_cli.plugin_host.skills import NAME as LOAD_SKILL
from finclaw_cli.plugin_host.skills import Skills
from finclaw_cli.prompt.additions import additions
from finclaw_cli.prompt.builder import build_prompt, given_prompt
from finclaw_cli.prompt.section import Profile, PromptContext, SystemPrompt
from finclaw_cli.prompt.skills import skills_section
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import prompt_folders
from finclaw_cli.settings.tables import ProfileSettings

# A summary comes first, or after the first question, which stays as it was asked.
MESSAGES_BEFORE_SUMMARY = 1


@record(kw_only=True)
class PromptBasis:
    """What a system prompt is made from, beside what is installed: kept with a run, so that it can be made again."""

    given: str | None
    """The user's own, in place of finclaw's."""
    for_this_run: bool
    """Whether it was given for the one run, and not by the settings."""
    now: datetime
    """In the user's time zone."""
    zone: str
    """What that is called; empty where that is unknown."""
    markets: tuple[MarketState, ...] = ()
    """How the preferred markets stood: their calendars are not asked again."""
    goes_on_after_summary: bool = False
    """Whether the conversation begins with a summary of earlier talk."""


@record(kw_only=True)
class PromptMaterial:
    """What a system prompt is made of beside its basis: what is set, installed and offered."""

    settings: Settings
    plugins: PluginManager
    skills: Skills
    tools: Sequence[ToolSpec]
    schema: JsonObject | None
    channel: str


def present_basis(settings: Settings, history: Sequence[Message], *, for_this_run: bool) -> PromptBasis:
    """The basis of a run that begins now."""
    now = local_now()
    says_markets = settings.system is None and settings.prompt_mode == "full" and settings.as_of is None
    return PromptBasis(
        given=settings.system,
        for_this_run=for_this_run,
        now=now,
        zone=zone_name(now),
        markets=market_states(settings.profile.markets, now) if says_markets else (),
        goes_on_after_summary=begins_with_summary(history),
    )


def begins_with_summary(messages: Sequence[Message]) -> bool:
    """Whether a summary stands at the beginning of a conversation for earlier messages."""
    return any(message.is_summary for message in messages[: MESSAGES_BEFORE_SUMMARY + 1])


def system_prompt(basis: PromptBasis, material: PromptMaterial) -> tuple[SystemPrompt, list[str]]:
    """The system prompt of a run, and a line for each thing that was meant to be part of it and is not."""
    schema = AnswerSchema(material.schema).instruction if material.schema is not None else ""
    if basis.given is not None:
        return given_prompt(basis.given, schema, "this run" if basis.for_this_run else "settings"), []
    settings = material.settings
    context = _context(basis, material, schema)
    added, problems = None, list[str]()
    if settings.prompt_mode != "none":
        of_plugins, problems = plugin_sections(material.plugins, context, settings.probe_timeout)
        added, wrong = additions(prompt_folders(environment().workspace), of_plugins)
        problems = [*problems, *wrong]
    prompt = build_prompt(
        context, added, count=estimated_tokens, mode=settings.prompt_mode, budget=settings.prompt_tokens
    )
    return prompt, problems


def _context(basis: PromptBasis, material: PromptMaterial, schema: str) -> PromptContext:
    offered = any(tool.name == LOAD_SKILL for tool in material.tools)
    return PromptContext(
        now=basis.now,
        zone=basis.zone,
        tools=tuple(material.tools),
        groups=tool_groups(material.settings),
        channel=material.channel,
        as_of=material.settings.as_of,
        profile=_profile(material.settings.profile),
        markets=basis.markets,
        skills=skills_section(material.skills.usable.values()) if offered else "",
        schema=schema,
        summary_mark=SUMMARY_MARK if basis.goes_on_after_summary else "",
    )


def _profile(settings: ProfileSettings) -> Profile:
    return Profile(
        level=settings.level,
        risk_tolerance=settings.risk_tolerance,
        markets=tuple(settings.markets),
        currency=settings.currency,
        language=settings.language,
    )
