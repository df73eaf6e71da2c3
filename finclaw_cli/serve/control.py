"""Lines of a client that control a run, as on the stdin of `finclaw run`: answers, cancelled calls, an interruption."""

from __future__ import annotations

from collections.abc import Mapping

from finclaw_cli.serve.approvals import Approvals
from finclaw_cli.serve.problems import Problem, bad_request
from finclaw_cli.serve.served_run import ServedRun

DECISIONS = ("allow", "deny")
MOST_REASON_CHARS = 1_000


class Control:
    """What one client may ask of one run, which may have ended."""

    def __init__(self, run: ServedRun | None, approvals: Approvals, client: str) -> None:
        self._run = run
        self._approvals = approvals
        self._client = client

    def obey(self, line: dict[str, object]) -> str | None:
        """Do what a line asks for; why it is none. What comes too late has no effect: the events show that."""
        match line.get("type"):
            case "approval":
                return self._answer(line)
            case "cancel" if isinstance(call_id := line.get("call_id"), str):
                if self._run is not None:
                    self._run.cancel_call(call_id)
            case "interrupt":
                if self._run is not None:
                    self._run.cancel()
            case _:
                return 'a line has the type "approval", "cancel" (with a call_id) or "interrupt"'
        return None

    def _answer(self, line: dict[str, object]) -> str | None:
        request_id = line.get("id")
        if not isinstance(request_id, str):
            return "an approval has an id"
        try:
            granted, reason = decision_of(line)
            self._approvals.give(request_id, self._client, granted=granted, reason=reason)
        except Problem as problem:
            return problem.message if problem.code == "bad_request" else None
        return None


def decision_of(body: Mapping[str, object]) -> tuple[bool, str]:
    """Whether a body or a line allows a call, and the reason it gives.

    Raises:
        Problem: it has no decision.
    """
    decision, reason = body.get("decision"), body.get("reason")
    if decision not in DECISIONS or not isinstance(reason, str | None):
        raise bad_request('decision is "allow" or "deny", reason a text')
    return decision == "allow", (reason or "")[:MOST_REASON_CHARS]
