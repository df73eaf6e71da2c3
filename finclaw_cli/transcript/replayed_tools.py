"""Changes of the tools of a run, from its recording."""

from __future__ import annotations

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.tools.registry import ToolRegistry
from finclaw_cli.tools.toolsets import Change
from finclaw_cli.transcript.declarations import with_recorded_change
from finclaw_cli.transcript.recording import RunRecording


class RecordedToolChanges:
    """The changes of a recorded run, in the turns in which they were."""

    def __init__(self, recording: RunRecording, registry: ToolRegistry) -> None:
        self._changes = recording.tool_changes
        self._registry = registry
        self._turn = 0

    async def changed(self) -> Change | None:
        self._turn += 1
        change = self._changes.get(self._turn)
        if change is None:
            return None
        registry = with_recorded_change(self._registry, change)
        offered = tuple(registry.offered(name for name in _names(change) if registry.find(name) is not None))
        return Change(registry=registry.only(offered), offered=offered)

    def take_problems(self) -> list[str]:
        """None: the warnings of the run are recorded."""
        return []

    async def stop(self) -> None:
        """Nothing was started."""


def _names(change: JsonObject) -> tuple[str, ...]:
    """The names of the tools that were offered; none where the record is not finclaw's."""
    offered = change.get("offered")
    return tuple(name for name in offered if isinstance(name, str)) if isinstance(offered, list) else ()
