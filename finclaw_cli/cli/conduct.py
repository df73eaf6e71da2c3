"""From a plan to the code that the process ends with."""

from __future__ import annotations

import asyncio
import traceback

from finclaw_cli.cli.carry_out import Carrier
from finclaw_cli.cli.outputs import Outputs
from finclaw_cli.cli.plan import Plan
from finclaw_cli.cli.prepare import Preparation
from finclaw_cli.cli.signals import SignalHandling, keep_handlers
from finclaw_cli.cli.turn_scope import TurnScope
from finclaw_cli.output.notice import notice
from finclaw_cli.runner.connection import Connect
from finclaw_cli.tools.blocked import watch_loop


async def conduct(
    preparation: Preparation, plan: Plan, connect: Connect, outputs: Outputs, signals: SignalHandling, *, debug: bool
) -> int:
    """Carry the plan out; the exit code."""
    scope = preparation.scope
    carrier = Carrier(plan, connect, outputs, scope, preparation.lines)
    watch_loop(asyncio.get_running_loop(), carrier.leave_stuck, keep_handlers)
    if isinstance(scope, TurnScope) and plan.error is None:
        from finclaw_cli.cli.interactive import converse

        code = await converse(carrier, scope, signals, preparation.first(), outputs)
    else:
        code = await carrier.run_all(preparation.prompts())
    if debug and carrier.unexpected is not None:
        notice("".join(traceback.format_exception(carrier.unexpected)))
    return code
