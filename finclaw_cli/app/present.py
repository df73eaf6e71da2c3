"""The system prompt and tools of a run that begins now: for plans carried out for hours, and for views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finclaw_cli.app.inventory import find_skills
from finclaw_cli.app.offered_tools import offered_tools
from finclaw_cli.app.plan import Installed, Plan, channel
from finclaw_cli.app.system_prompt import PromptMaterial, present_basis, system_prompt
from finclaw_cli.core.messages import Message
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.prompt.section import SystemPrompt
from finclaw_cli.settings.model import Settings


@record(kw_only=True)
class CurrentContext:
    """The system prompt and the tools of a run, and a line for each thing that was meant to be there and is not."""

    prompt: SystemPrompt
    tools: tuple[ToolSpec, ...]
    problems: tuple[str, ...]


def current_context(settings: Settings, installed: Installed, messages: Sequence[Message] = ()) -> CurrentContext:
    """The system prompt of a run with these settings, in a conversation of these messages.

    Raises:
        UsageError: a tool that the settings want is unknown, or claimed by several plugins.
    """
    skills = find_skills(installed.plugins)
    tools = offered_tools(installed.tools, settings, skills)
    material = PromptMaterial(
        settings=settings, plugins=installed.plugins, skills=skills, tools=tools, schema=None, channel=channel()
    )
    prompt, problems = system_prompt(present_basis(settings, messages, for_this_run=False), material)
    return CurrentContext(prompt=prompt, tools=tools, problems=(*skills.problems, *problems))


def at_present(plan: Plan, messages: Sequence[Message]) -> Plan:
    """The plan with the prompt that a run of it would have that began now, in a conversation of these messages."""
    if plan.basis is None:
        return plan
    material = PromptMaterial(
        settings=plan.settings,
        plugins=plan.installed.plugins,
        skills=plan.skills,
        tools=plan.tools,
        schema=plan.schema,
        channel=plan.channel,
    )
    basis = present_basis(plan.settings, messages, for_this_run=plan.basis.for_this_run)
    return replace(plan, basis=basis, prompt=system_prompt(basis, material)[0])
