"""The plan of the work, which the model shows the user of an editor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from acp import helpers, schema
from pydantic import TypeAdapter, ValidationError

from finclaw_cli.sdk import PlainText, tool


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan."""

    content: str
    status: Literal["pending", "in_progress", "completed"]


@tool(group="finance", read_only=True, idempotent=True)
def show_plan(steps: list[Step]) -> PlainText:
    """Show the user the plan of work that takes several steps; call it again with all steps when one begins or ends.

    Args:
        steps: all steps, in order; content is one short sentence.
    """
    return PlainText(f"The user sees {len(steps)} steps.")


PLAN_TOOL = show_plan.__name__
_STEPS = TypeAdapter(list[Step])


def plans_of(given: Mapping[str, object] | None) -> Iterator[schema.AgentPlanUpdate]:
    """The plan that a call of `show_plan` shows, if its input has one."""
    try:
        steps = _STEPS.validate_python((given or {}).get("steps"))
    except ValidationError:
        return
    yield helpers.update_plan(helpers.plan_entry(step.content, status=step.status) for step in steps)
