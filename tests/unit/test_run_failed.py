"""A run that failed, as an exception."""

from __future__ import annotations

import pytest

from finclaw_cli import RunFailed, RunResult
from finclaw_cli.core.events.parts import Failure


def result(error: Failure | None) -> RunResult:
    return RunResult(
        text="",
        output=None,
        status="failed",
        exit_code=4,
        error=error,
        stop_reason=None,
        model=None,
        session_id="s",
        usage=None,
        cost_usd=None,
        numbers=None,
        tool_calls={},
        denied=(),
        unknown=(),
        turns=0,
        duration_s=0.5,
        messages=(),
    )


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        (Failure(code="overloaded", message="too busy", hint="Wait."), ("too busy", "Wait.", "overloaded")),
        (None, ("the run ended with exit code 4", None, RunFailed.code)),
    ],
)
def test_it_has_the_facts_of_the_failure(error: Failure | None, facts: tuple[str, str | None, str]) -> None:
    raised = RunFailed(result(error))
    assert (raised.message, raised.hint, raised.code) == facts
    assert (str(raised), raised.exit_code) == (facts[0], 4)
