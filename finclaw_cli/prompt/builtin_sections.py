"""All of finclaw's own sections, in the order in which they stand."""

from __future__ import annotations

from finclaw_cli.prompt.dynamic_sections import current_state, memory
from finclaw_cli.prompt.finance import compliance, examples, finance_context, risk_disclaimer, user_context
from finclaw_cli.prompt.section_maker import SectionMaker
from finclaw_cli.prompt.sections import (
    answer_schema,
    capabilities,
    channel_context,
    constraints,
    custom,
    formatting,
    identity,
    language,
    skills,
    tools,
)

# What others add stands between these two parts.
FIRST: tuple[SectionMaker, ...] = (
    identity,
    capabilities,
    tools,
    finance_context,
    compliance,
    risk_disclaimer,
    user_context,
    channel_context,
    formatting,
    language,
    constraints,
    examples,
    skills,
    custom,
)
LAST: tuple[SectionMaker, ...] = (answer_schema, current_state, memory)
MAKERS = {maker.id: maker for maker in (*FIRST, *LAST)}

MINIMAL = frozenset({identity.id, tools.id, constraints.id, answer_schema.id})
# Without the schema an answer cannot be what was asked for, however short the prompt is.
NOTHING_ELSE = frozenset({answer_schema.id})
REQUIRED = frozenset(maker.id for maker in MAKERS.values() if maker.required)
# What a project's files may not touch: they come with a checkout, of any author.
NOT_FOR_PROJECTS = REQUIRED | {risk_disclaimer.id, user_context.id, current_state.id, memory.id}
