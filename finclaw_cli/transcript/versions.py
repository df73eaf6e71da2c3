"""What runs emit since which version: of the recording of an earlier version, it is not compared.

The `run` record of each run keeps the version that it was made by.
"""

from __future__ import annotations

from collections.abc import Iterable

from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.transcript.lines import Line

EVENTS_VERSION = 4
FIRST_VERSION = 1
DIVIDED_VERSION = 3
"""The version since which a compaction works within exchanges, and a fallback names its strategies."""
NUMBERS_VERSION = 4
"""The version since which a model derives the figures of an answer: those of earlier ones are checked otherwise."""
_MADE_OTHERWISE = frozenset({"execution.state", "agent.error"})
"""The records that version 1 made at other moments, or not in each case."""
_ADDED: dict[str, frozenset[str]] = {"agent.tool_call": frozenset({"bytes", "sha256"})}
"""The fields that version 1 did not have in each case."""


def events_version(recorded: Iterable[Line]) -> int:
    """The version that a recorded run was made by."""
    return version_of(next((line.data for line in recorded if line.type == "run"), {}))


def version_of(about: JsonObject) -> int:
    """The version that a run was made by, from its `run` record."""
    version = about.get("events_version")
    return version if isinstance(version, int) else FIRST_VERSION


def is_of_version(version: int, kind: str, data: JsonObject) -> bool:
    """Whether a run of that version makes this record, as one of the current version does."""
    if version < NUMBERS_VERSION and kind == "agent.number_check":
        return False
    if version > FIRST_VERSION:
        return True
    return kind not in _MADE_OTHERWISE and not (kind == "agent.tool_call" and data.get("status") == "announced")


def fields_of_version(version: int, kind: str, data: JsonObject) -> JsonObject:
    """The fields that a run of that version makes as one of the current version does."""
    if version < NUMBERS_VERSION and kind == "agent.result":
        data = {name: value for name, value in data.items() if name != "numbers"}
    if version < DIVIDED_VERSION and kind == "context.compact_fallback":
        return {name: value for name, value in data.items() if name not in {"from_strategy", "to_strategy"}}
    if version > FIRST_VERSION:
        return data
    added = _ADDED.get(kind, frozenset())
    return {name: _of_first_version(name, value) for name, value in data.items() if name not in added}


def _of_first_version(name: str, value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return value
    if name == "compaction":
        return {key: _of_first_version(key, each) for key, each in value.items()}
    return {key: each for key, each in value.items() if key != "total"} if name == "usage" else value
