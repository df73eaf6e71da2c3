"""The tools of a run: for the command line, `Agent`, replays and the testing kit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from finclaw_cli.core.ports import Emit
from finclaw_cli.core.record import record
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.execution import Executions
from finclaw_cli.tools.executor import ContextOf, ExecutorSettings, Runner, ToolServices
from finclaw_cli.tools.registry import ToolRegistry
from finclaw_cli.tools.toolsets import NO_CHANGES, ToolChanges


@record(kw_only=True)
class RunTools:
    """The tools of a run, and how its calls are made."""

    registry: ToolRegistry
    services: ToolServices
    context_of: ContextOf
    settings: ExecutorSettings
    changes: ToolChanges = NO_CHANGES
    """What may change the tools while the run goes on."""
    executions: Executions = field(default_factory=Executions)
    """Where the calls can be seen, and cancelled."""
    runner: Callable[[Emit], Runner] | None = None
    """Makes what runs the tools; None: they really run."""

    def toolbox(self, emit: Emit) -> RegistryToolbox:
        """What makes the calls of a run, whose events go to `emit`."""
        runner = self.runner(emit) if self.runner is not None else None
        return RegistryToolbox(
            self.registry,
            self.services,
            self.context_of,
            self.settings,
            emit,
            changes=self.changes,
            executions=self.executions,
            runner=runner,
        )
