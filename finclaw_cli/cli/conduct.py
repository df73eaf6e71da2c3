"""From a plan to the code that the process ends with."""

from __future__ import annotations

import asyncio
import traceback

from finclaw_cli.cli.outputs import Outputs
from finclaw_cli.cli.plan import Plan
from finclaw_cli.cli.prepare import RunPreparation
from finclaw_cli.cli.session_runner import SessionRunner
from finclaw_cli.cli.signals import SignalHandling, keep_handlers
from finclaw_cli.cli.turn_scope import TurnScope
from finclaw_cli.engine.connection import Connect
from finclaw_cli.output.notice import notice
from finclaw_cli.tools.blocked import watch_loop


async def conduct(
    preparation: RunPreparation, plan: Plan, connect: Connect, outputs: Outputs, signals: SignalHandling, *, debug: bool
) -> int:
    """Carry the plan out; the exit code."""
    scope = preparation.scope
    runner = SessionRunner(plan, connect, outputs, scope, preparation.lines)
    watch_loop(asyncio.get_running_loop(), runner.leave_stuck, keep_handlers)
    if isinstance(scope, TurnScope) and plan.error is None:
        from finclaw_cli.cli.interactive import converse

        code = await converse(runner, scope, signals, preparation.first(), outputs)
    else:
        code = await runner.run_all(preparation.prompts())
    if debug and runner.unexpected is not None:
        notice("".join(traceback.format_exception(runner.unexpected)))
    return code
