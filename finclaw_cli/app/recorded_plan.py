"""The plan that a recorded run would have now."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.app.plan import Installed, Plan
from finclaw_cli.app.run_record import recorded_basis, recorded_caller_tools, recorded_schema, recorded_toolset_tools
from finclaw_cli.app.system_prompt import PromptMaterial, system_prompt
from finclaw_cli.core.events.agent import AgentStart
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.plugin_host.skills import Skills
from finclaw_cli.prompt.section import SystemPrompt
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.policy_files import LoadedPolicy
from finclaw_cli.tools.null_services import unloaded
from finclaw_cli.tools.registry import ToolRegistry
from finclaw_cli.transcript.declarations import with_recorded_toolsets


def offered_then(registry: ToolRegistry, start: AgentStart) -> tuple[ToolSpec, ...]:
    """The tools that were offered, as far as they are still installed, as they are now."""
    found = ((tool.name, registry.find(tool.name)) for tool in start.tools)
    return tuple(replace(entry.spec, name=name) for name, entry in found if entry is not None)


def installed_then(installed: Installed, about: JsonObject) -> Installed:
    """What is installed, with the recorded declarations of what its caller passed, and of the tools of toolsets."""
    tools = installed.tools.with_functions(map(unloaded, recorded_caller_tools(about)))
    of_toolsets = recorded_toolset_tools(about)
    return replace(installed, tools=tools if of_toolsets is None else with_recorded_toolsets(tools, of_toolsets))


def recorded_plan(
    about: JsonObject,
    start: AgentStart,
    *,
    settings: Settings,
    installed: Installed,
    skills: Skills,
    policy: LoadedPolicy,
) -> Plan:
    """The plan that a recorded run would have now; `settings` are those of `recorded_settings`."""
    tools, schema, basis = offered_then(installed.tools, start), recorded_schema(about), recorded_basis(about, settings)
    material = PromptMaterial(
        settings=settings,
        plugins=installed.plugins,
        skills=skills,
        tools=tools,
        schema=schema,
        channel=start.channel,
    )
    named = (name.partition(":") for name in start.models)
    return Plan(
        settings=settings,
        installed=installed,
        models=tuple(ModelRef(provider=provider, model=model) for provider, _, model in named),
        tools=tools,
        schema=schema,
        policy=policy,
        prompt=system_prompt(basis, material)[0] if basis else SystemPrompt(),
    )
