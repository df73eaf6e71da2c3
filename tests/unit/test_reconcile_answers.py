"""What a tool answers that is asked for the outcome of a call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.tool import Reconciled, ToolContext
from finclaw_cli.tools.null_services import NoOutcomeResolver
from finclaw_cli.tools.reconcile import reconcile_call
from tests.unit.test_pipeline import bench, context

CALL = ToolCall("c1", "t", {"n": 1})


async def answer_of(reconcile: Callable[[str, ToolContext], Awaitable[Reconciled]] | None) -> Reconciled:
    it = bench(transactional=True, reconcile=reconcile)
    return await reconcile_call(CALL, it.tool, context(CALL, 1), it.emit, patience_s=0)


def answering(answer: object) -> Callable[[str, ToolContext], Awaitable[Reconciled]]:
    async def reconcile(key: str, ctx: ToolContext) -> Reconciled:
        return answer  # type: ignore[return-value]

    return reconcile


async def test_an_answer_with_data_is_taken_as_it_is() -> None:
    filled = Reconciled(state="done", content={"filled": 3})
    assert await answer_of(answering(filled)) == filled


@pytest.mark.parametrize("answer", ["done", None, {"state": "done"}])
async def test_what_is_no_answer_leaves_the_outcome_unknown(answer: object) -> None:
    assert (await answer_of(answering(answer))).state == "unknown"


async def test_what_took_effect_has_done_so_where_its_result_is_no_data() -> None:
    found = await answer_of(answering(Reconciled(state="done", content=object())))
    assert found.state == "done"
    assert str(found.content).startswith("[It took effect, but its result cannot be shown: ")


async def test_a_tool_without_reconcile_leaves_the_outcome_unknown() -> None:
    assert (await answer_of(None)).state == "unknown"


async def test_without_a_person_to_ask_the_outcome_is_unknown() -> None:
    assert await NoOutcomeResolver().ask(CALL, replace(bench().tool)) == "unknown"
