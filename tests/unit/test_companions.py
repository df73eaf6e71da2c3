"""The functions that belong to a tool, checked where it is defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import Reconciled
from finclaw_cli.sdk import ToolContext, tool
from finclaw_cli.tools.companions import check_preview, check_reconcile
from finclaw_cli.tools.define import define_all


async def with_answer(key: str, ctx: ToolContext) -> Reconciled:
    return Reconciled(state="done", content="")


async def with_text(key: str, ctx: ToolContext) -> str:
    return ""


async def without_context(key: str) -> Reconciled:
    return Reconciled(state="done", content="")


async def with_unknown_types(key: str, ctx: ToolContext) -> Unheard:  # type: ignore[name-defined]  # noqa: F821
    """An annotation that cannot be looked up."""


def blocks(key: str, ctx: ToolContext) -> Reconciled:
    return Reconciled(state="done", content="")


@pytest.mark.parametrize("reconcile", [with_answer, with_unknown_types])
def test_a_reconcile_has_a_key_and_a_context_and_is_asynchronous(reconcile: Callable[..., Any]) -> None:
    check_reconcile(reconcile, "acme:pay")


@pytest.mark.parametrize(
    ("reconcile", "why"),
    [
        (blocks, "has to be an async def"),
        (without_context, r"has to take \(key, ctx\)"),
        (with_text, "has to return Reconciled, not <class 'str'>"),
    ],
)
def test_what_cannot_be_a_reconcile_is_refused_with_its_place(reconcile: Callable[..., Any], why: str) -> None:
    with pytest.raises(UsageError, match=rf"acme:pay: its reconcile {reconcile.__name__} \(test_.*:\d+\) {why}"):
        check_reconcile(reconcile, "acme:pay")


def test_a_companion_that_is_no_function_is_named_all_the_same() -> None:
    class Sharp:
        def __call__(self, key: str) -> str:
            return key

    with pytest.raises(UsageError, match="Sharp"):
        check_preview(Sharp(), ["amount"], "acme:pay")


def test_a_preview_that_does_not_take_the_parameters_of_its_tool_is_refused() -> None:
    def shows(sum_: int, ctx: ToolContext) -> str:
        return f"{sum_}"

    @tool(group="finance", preview=shows)
    def pay(amount: int) -> str:
        """Pay."""
        return f"{amount}"

    with pytest.raises(UsageError, match="cannot be called with the tool's parameters") as refused:
        list(define_all(pay))
    assert str(refused.value.hint).startswith("Its parameters are amount, ")
