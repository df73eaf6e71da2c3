"""From a plan to the exit code of the process: prompts answered one by one, the results shown on stdout."""

from __future__ import annotations

import asyncio

from finclaw_cli.app.plan import Plan
from finclaw_cli.cli.conversation import Conversation
from finclaw_cli.cli.outputs import Outputs
from finclaw_cli.cli.prepare import RunPreparation
from finclaw_cli.cli.signals import SignalHandling, keep_handlers
from finclaw_cli.cli.turn_scope import TurnScope
from finclaw_cli.core import exits
from finclaw_cli.core.interruption import traceback_text
from finclaw_cli.engine.connection import Connect
from finclaw_cli.output.notice import notice
from finclaw_cli.tools.blocked import watch_loop


async def conduct(
    preparation: RunPreparation, plan: Plan, connect: Connect, outputs: Outputs, signals: SignalHandling, *, debug: bool
) -> int:
    """Carry out the plan; return the exit code."""
    scope = preparation.scope
    conversation = Conversation(plan, connect, outputs, scope, preparation.lines)
    watch_loop(asyncio.get_running_loop(), conversation.leave_stuck, keep_handlers)
    if isinstance(scope, TurnScope) and plan.error is None:
        from finclaw_cli.cli.interactive import converse

        code = await converse(conversation, scope, signals, preparation.first(), outputs)
    else:
        code = await _run_all(conversation, preparation)
    if debug and conversation.runner.unexpected is not None:
        notice(traceback_text(conversation.runner.unexpected))
    return code


async def _run_all(conversation: Conversation, preparation: RunPreparation) -> int:
    """Answer each prompt in turn until one fails; return the exit code of the last one."""
    code = exits.OK
    with conversation.opened():
        async for prompt in preparation.prompts():
            code = (await conversation.answer(prompt)).exit_code
            if code != exits.OK:
                break
        return conversation.exit_code(code)
