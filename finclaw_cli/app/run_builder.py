"""The one place where a run is put together: for the command line, replays and the testing kit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from finclaw_cli.core.ports import ConversationLog, Emit, EventSink
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.null_log import NULL_CONVERSATION_LOG
from finclaw_cli.engine.request import RunRequest
from finclaw_cli.engine.run import Run
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.executor import ContextOf, ExecutorSettings, Runner, ToolServices
from finclaw_cli.tools.registry import ToolRegistry


@record(kw_only=True)
class RunTools:
    """The tools of a run, and how its calls are made."""

    registry: ToolRegistry
    services: ToolServices
    context_of: ContextOf
    settings: ExecutorSettings
    runner: Callable[[Emit], Runner] | None = None
    """Makes what runs the tools; None: they really run."""


def build_run(
    engine: Engine,
    request: RunRequest,
    tools: RunTools,
    *,
    sinks: Sequence[EventSink],
    scope: CancelScope,
    log: ConversationLog = NULL_CONVERSATION_LOG,
) -> Run:
    """Put a run together; it is made when it is called.

    Args:
        engine: what the runs of a process share.
        request: the conversation, models and limits.
        tools: the tools that the model is offered.
        sinks: take each event, in this order.
        scope: ends the run from outside.
        log: keeps messages and requests.
    """

    def toolbox(emit: Emit) -> RegistryToolbox:
        runner = tools.runner(emit) if tools.runner is not None else None
        return RegistryToolbox(tools.registry, tools.services, tools.context_of, tools.settings, emit, runner=runner)

    return Run(engine, request, toolbox=toolbox, sinks=sinks, scope=scope, log=log)
