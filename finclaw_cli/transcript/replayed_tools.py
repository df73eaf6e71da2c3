"""Changes of the tools of a run, from its recording."""

from __future__ import annotations

from finclaw_cli.tools.registry import ToolRegistry
from finclaw_cli.tools.toolsets import Change
from finclaw_cli.transcript.declarations import with_recorded_toolsets
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
        names, declared = change
        registry = with_recorded_toolsets(self._registry, declared)
        offered = tuple(registry.offered(name for name in names if registry.find(name) is not None))
        return Change(registry=registry.only(offered), offered=offered)

    def take_problems(self) -> list[str]:
        """None: the warnings of the run are recorded."""
        return []

    async def stop(self) -> None:
        """Nothing was started."""
