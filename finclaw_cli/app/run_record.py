"""The inputs of a run beside its messages, as its transcript keeps them: enough to make the same run again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, cast

from finclaw_cli.app.system_prompt import PromptBasis
from finclaw_cli.catalog.exchanges import MarketState
from finclaw_cli.core.checked import WrongValue, checked
from finclaw_cli.core.events.agent import AgentStart
from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.policy_files import policy_path
from finclaw_cli.tools.registry import CALLER
from finclaw_cli.transcript.declarations import declarations, declared_tools
from finclaw_cli.transcript.versions import EVENTS_VERSION

# The settings that a run's events do not tell.
KEPT = (
    "temperature",
    "verify_numbers",
    "number_sources",
    "max_output_tokens",
    "on_denied",
    "retry_attempts",
    "prompt_mode",
    "prompt_tokens",
    "compaction",
    "keep_recent",
    "summary_model",
    "summary_timeout",
)


def run_data(
    settings: Settings,
    basis: PromptBasis,
    schema: JsonObject | None,
    tools: Iterable[ToolSpec],
    *,
    retractable: bool,
) -> JsonObject:
    """The facts of one run; of the tools that its caller passed or that toolsets have, also the declarations.

    `tools` are those that are offered, under their own names.
    """
    tools = list(tools)
    passed = declarations(tool for tool in tools if tool.source == CALLER)
    of_toolsets = declarations(tool for tool in tools if tool.toolset)
    return {
        **({"caller_tools": passed} if passed else {}),
        **({"toolset_tools": of_toolsets} if of_toolsets else {}),
        "events_version": EVENTS_VERSION,
        "system": basis.given if basis.for_this_run else None,
        "now": basis.now.isoformat(),
        "zone": basis.zone,
        "markets": [jsonable(state) for state in basis.markets],
        "after_summary": basis.goes_on_after_summary,
        "as_of": settings.as_of.isoformat() if settings.as_of else None,
        "schema": schema,
        "retractable": retractable,
        "policy": [str(policy_path(name).absolute()) for name in settings.policy],
        "base_url": settings.base_url,
        **{name: getattr(settings, name) for name in KEPT},
    }


def recorded_settings(settings: Settings, about: Mapping[str, object], start: AgentStart) -> Settings:
    """The settings of today with the recorded inputs of a run: all else is compared."""
    limits = start.limits
    as_of, policy = about.get("as_of"), about.get("policy")
    named = [str(path) for path in policy] if isinstance(policy, list) else []
    changed: dict[str, Any] = {
        "agent": start.agent_id,
        "model": start.models[0] if start.models else None,
        "fallback": list(start.models[1:]),
        "as_of": _date(as_of),
        "policy": list(dict.fromkeys([*settings.policy, *named])),
        "max_turns": limits.max_turns,
        "timeout": limits.timeout_s,
        "first_chunk_timeout": limits.first_chunk_s,
        "idle_timeout": limits.idle_s,
        "max_tool_calls": limits.max_tool_calls,
        "max_result_chars": limits.max_result_chars,
        "max_cost": limits.max_cost_usd,
        **_kept(about),
    }
    return replace(settings, **changed)


def _kept(about: Mapping[str, object]) -> dict[str, object]:
    """The settings that were kept; empty where the record is not finclaw's."""
    # A run that does not say so was checked by rules: no request for the sources of figures was made.
    given = {"number_sources": "rules", **{name: about[name] for name in KEPT if name in about}}
    try:
        kept = checked(Settings, given)
    except WrongValue:
        return {}
    return {name: getattr(kept, name) for name in given}


def recorded_basis(about: Mapping[str, object], settings: Settings) -> PromptBasis | None:
    """From what the run's prompt is to be made now: its own prompt if it had one, else that of the settings.

    None where the record does not say when the run was.
    """
    given, now, zone = about.get("system"), _moment(about.get("now")), about.get("zone")
    if now is None:
        return None
    own = isinstance(given, str)
    return PromptBasis(
        given=str(given) if own else settings.system,
        for_this_run=own,
        now=now,
        zone=zone if isinstance(zone, str) else "",
        markets=_markets(about.get("markets")),
        goes_on_after_summary=about.get("after_summary") is True,
    )


def _markets(value: object) -> tuple[MarketState, ...]:
    """The states as they were kept; empty where the record is not finclaw's."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(tuple[MarketState, ...]).validate_python(value)
    except ValidationError:
        return ()


def _moment(value: object) -> datetime | None:
    """A moment with its offset as it was kept; None where it is none."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is None or moment.tzinfo else None


def _date(value: object) -> date | None:
    """A date as it was kept; None where the record has no date."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def recorded_schema(about: Mapping[str, object]) -> JsonObject | None:
    """The schema that the answer had to satisfy."""
    schema = about.get("schema")
    return cast("JsonObject", schema) if isinstance(schema, dict) else None


def recorded_caller_tools(about: Mapping[str, object]) -> tuple[ToolSpec, ...]:
    """The tools that the caller of the run passed, as they were declared."""
    return declared_tools(about.get("caller_tools"))


def recorded_toolset_tools(about: Mapping[str, object]) -> tuple[ToolSpec, ...] | None:
    """The tools of toolsets that the run began with, as they were declared; None where it had none."""
    return declared_tools(about["toolset_tools"]) if "toolset_tools" in about else None
