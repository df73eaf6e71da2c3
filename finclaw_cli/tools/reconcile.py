"""Asking a tool's own `reconcile` what became of a transactional call."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import cast

from finclaw_cli.core.events.internal import ToolProgress, ToolReconcile
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.tool import LONGEST_RECONCILE_AFTER_S, Reconcile, Reconciled, ToolContext, ToolDefinition
from finclaw_cli.tools.bounded import bounded
from finclaw_cli.tools.data import NotJson
from finclaw_cli.tools.render import render

ANSWER_S = 30.0
"""How long one answer of `reconcile` may take."""
FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 3.0


async def reconcile_call(
    call: ToolCall, tool: ToolDefinition, context: ToolContext, emit: Emit, *, patience_s: float
) -> Reconciled:
    """Find out by its idempotency key what became of a call, and emit the answer.

    A request may still be on its way to a service that does not know it yet. So an answer other than `done` counts
    only from `patience_s` seconds on, unless it is final; until then the tool is asked again, with growing pauses.
    Whatever the tool raises, and an answer that takes too long, is `unknown`.
    """
    if tool.reconcile is None:
        return Reconciled(state="unknown")
    turn, message = context.turn, "finding out what became of this call"
    await emit(ToolProgress(turn=turn, call_id=call.id, name=call.name, message=message))
    # The context of a call that was stopped is cancelled; that of this question is not.
    asked = replace(context, input=call.input, cancelled=asyncio.Event())
    answer = await _patient_answer(tool.reconcile, asked, patience_s)
    await emit(ToolReconcile(turn=turn, call_id=call.id, name=call.name, state=answer.state))
    return answer


async def _patient_answer(reconcile: Reconcile, context: ToolContext, patience_s: float) -> Reconciled:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + min(patience_s, LONGEST_RECONCILE_AFTER_S)
    pause_s = FIRST_PAUSE_S
    while True:
        is_last = loop.time() >= deadline
        answer = await _answer(reconcile, context)
        if is_last or answer.is_final or answer.state == "done":
            return answer
        await asyncio.sleep(max(min(pause_s, deadline - loop.time()), 0.0))
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


async def _answer(reconcile: Reconcile, context: ToolContext) -> Reconciled:
    try:
        answer = await bounded(_renderable(reconcile, context), ANSWER_S)
    except Exception as error:  # noqa: BLE001 - the code of a plugin, or too slow
        context.logger.warning("reconcile failed, so the outcome is unknown: %s: %s", type(error).__name__, error)
        return Reconciled(state="unknown")
    return cast("Reconciled", answer)


async def _renderable(reconcile: Reconcile, context: ToolContext) -> Reconciled:
    """The answer of the tool; what took effect has done so, also where its result is no data.

    Raises:
        TypeError: it is no answer.
    """
    answer: object = await reconcile(context.idempotency_key, context)
    if not isinstance(answer, Reconciled):
        raise TypeError(f"it returned {type(answer).__name__} instead of Reconciled")
    try:
        render(answer.content)
    except NotJson as error:
        return replace(answer, content=f"[It took effect, but its result cannot be shown: {error}]")
    return answer
