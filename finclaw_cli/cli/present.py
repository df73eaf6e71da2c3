"""A plan that is carried out for hours: what its system prompt says of the present stays true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finclaw_cli.cli.plan import Plan
from finclaw_cli.cli.system_prompt import PromptMaterial, present_basis, system_prompt
from finclaw_cli.core.messages import Message


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
