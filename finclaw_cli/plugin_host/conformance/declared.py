"""The rules for a plugin's tools and providers that need no calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.core.tool import LONGEST_RECONCILE_AFTER_S, Need, ToolDefinition
from finclaw_cli.plugin_host.conformance.problem import Problem, error, warning
from finclaw_cli.plugin_host.conformance.schema import schema_problems
from finclaw_cli.providers.config import ProviderConfig, ProviderSpec

WIRE_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PROVIDER_NAME = re.compile(r"[a-z][a-z0-9-]*")


def tool_problems(tool: ToolDefinition) -> Iterator[Problem]:
    """Check the name, description, flags and schema of one tool."""
    subject = f"tool {tool.name}"
    if not WIRE_NAME.fullmatch(tool.name):
        yield error(subject, "name", "providers take names of [a-zA-Z0-9_-], 64 at most")
    if not tool.description.strip():
        yield error(subject, "undescribed", "it has no description, so no model knows when to call it")
    yield from schema_problems(tool)
    yield from _flags(tool, subject)
    if tool.timeout_s is not None and tool.timeout_s <= 0:
        yield error(subject, "timeout", f"a timeout of {tool.timeout_s:g} s leaves no time to work")
    for need in tool.needs:
        yield from _need(need, subject)


def _flags(tool: ToolDefinition, subject: str) -> Iterator[Problem]:
    if tool.transactional and tool.read_only:
        yield error(subject, "flags", "it cannot both move money (transactional) and change nothing (read_only)")
    if tool.transactional and tool.reconcile is None:
        yield warning(
            subject,
            "unrecoverable",
            "after a crash it is unknown whether a call took effect, and it is not run again: give `reconcile`",
        )
    if not 0 <= tool.reconcile_after_s <= LONGEST_RECONCILE_AFTER_S:
        yield error(subject, "reconcile_after", f"reconcile_after is 0 to {LONGEST_RECONCILE_AFTER_S:g} seconds")


def _need(need: Need, subject: str) -> Iterator[Problem]:
    if sum(named is not None for named in (need.file, need.env, need.program)) != 1:
        yield error(subject, "needs", "a Need names one thing: a file, a variable or a program")
    if not need.how.strip():
        yield error(subject, "needs", "a Need has to describe in `how` what meets it")


def provider_facts_problems(spec: ProviderSpec) -> Iterator[Problem]:
    """Check the facts of one provider, and that it can be created without a key and without a network."""
    subject = f"provider {spec.name}"
    if not _PROVIDER_NAME.fullmatch(spec.name):
        yield error(subject, "name", "a provider's name is [a-z][a-z0-9-]*")
    try:
        made = spec.create(ProviderConfig(api_key="no-key"))
        if made.name != spec.name:
            yield warning(subject, "name", f"what it makes calls itself {made.name!r}")
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - a plugin may raise anything
        yield error(subject, "create", f"it cannot be made: {type(raised).__name__}: {raised}")
