"""One run of a server: its events for readers, its approvals, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from finclaw_cli.app.approvals import AdvanceApprover
from finclaw_cli.app.connect import Connector, begin_to_connect
from finclaw_cli.app.engine import engine_of
from finclaw_cli.app.front import Continuation, Front, Prompt
from finclaw_cli.app.plan import Plan
from finclaw_cli.app.session_runner import SessionRunner
from finclaw_cli.core import exits
from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.environment import environment
from finclaw_cli.core.events.agent import AgentResult, Emitted
from finclaw_cli.core.events.lines import payload
from finclaw_cli.core.events.parts import Failure
from finclaw_cli.core.interruption import error_text
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.ports import Approval, ApprovalRequest, Approver
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import SIGNALS, Cancellation, CancelScope, cancellation_by
from finclaw_cli.search.records import REQUEST
from finclaw_cli.serve.all_events import AllEvents
from finclaw_cli.serve.approvals import Approvals
from finclaw_cli.serve.keys import KeyedRequest
from finclaw_cli.serve.live_events import LiveEvents
from finclaw_cli.serve.recorded_events import RunPlace
from finclaw_cli.tools.null_services import NoApprover, NoOutcomeResolver
from finclaw_cli.usage.writing import LedgerWriter

CANCELLED = cancellation_by(SIGNALS["interrupted"])


@record(kw_only=True)
class Shared:
    """What the runs of a server share."""

    ledger: LedgerWriter
    approvals: Approvals
    events: AllEvents
    report: Callable[[str], None]


class ServedRun:
    """A run that was asked for by a client. It asks its clients for approvals (`ask`)."""

    def __init__(self, plan: Plan, prompt: str | None, request: KeyedRequest | None, shared: Shared) -> None:
        self.live = LiveEvents(shared.events.put)
        self.scope = CancelScope()
        self.started = datetime.now(UTC)
        self.finished: datetime | None = None
        self.is_recorded = False
        """Whether its events are in its transcript alone."""
        self._approvals = shared.approvals
        self._settings = plan.settings
        self._prompt: Prompt = Continuation() if prompt is None else prompt
        self._request = request
        self._report = shared.report
        self._connect = Connector(plan.settings, plan.installed.providers)
        engine = engine_of(plan.settings, plan.installed.providers, self._connect, shared.ledger)
        self._runner = SessionRunner(plan, engine, shared.ledger, self._front())
        self.run_id = self._runner.next_run_id
        self.session_id = self._runner.session_id
        self.where = _place(self.run_id, plan)

    async def answer(self) -> None:
        """Make the run. It ends with a result, whatever happens; raises nothing."""
        plan = self._runner.plan
        try:
            begin_to_connect(plan.settings, plan.installed.providers, self._connect, plan.models[0])
            with self._runner.opened():
                await self._runner.answer(self._prompt)
            await self._runner.released()
        except Exception as error:  # noqa: BLE001 - one run must not end the server
            self._report(f"finclaw: the run {self.run_id} failed unexpectedly: {error_text(error)}")
        finally:
            if self.live.result is None:
                await self.live.take(Emitted(datetime.now(UTC), self.run_id, self._no_result()))
            self.finished = datetime.now(UTC)
            self.live.close()
            await self._connect.aclose()

    def drop_events(self) -> None:
        """Leave the events to the transcript; a run that could not begin has none, and few events."""
        if self.where is not None and self.where.path.exists():
            self.live.drop()
            self.is_recorded = True

    def cancel(self, reason: Cancellation = CANCELLED) -> None:
        """End the run, as a Ctrl-C does."""
        self.scope.cancel(reason)

    def cancel_call(self, call_id: str) -> bool:
        """Cancel one call; False where there is no such call under way."""
        return self._runner.calls.cancel(call_id)

    async def ask(self, request: ApprovalRequest) -> Approval:
        """Ask the clients for an approval."""
        return await self._approvals.ask(self.run_id, self.session_id, request, self._settings.approval_timeout)

    def document(self) -> JsonObject:
        """The run as JSON."""
        result = self.live.result
        return {
            "run_id": self.run_id,
            "session_id": self.session_id,
            "status": "running" if self.finished is None or result is None else result.status,
            "started": timestamp(self.started),
            "finished": None if self.finished is None else timestamp(self.finished),
            "result": None if self.finished is None or result is None else payload(result),
        }

    def _front(self) -> Front:
        return Front(
            approver=self._approver,
            outcome_resolver=NoOutcomeResolver(),
            sinks=[self.live],
            scope=self.scope,
            secrets=environment().secrets,
            report=self._report,
            is_retractable=True,
            facts={} if self._request is None else {REQUEST: {"key": self._request.key, "body": self._request.body}},
        )

    def _approver(self) -> Approver:
        clients = NoApprover() if self._settings.approval == "none" else self
        return AdvanceApprover(self._settings.approve, clients)

    def _no_result(self) -> AgentResult:
        failure = Failure(code="internal", message="the run ended without a result: this is a bug in finclaw")
        return AgentResult(
            status="error", exit_code=exits.UNEXPECTED, session_id=self.session_id, model=None, scripted=False, text="",
            output=None, stop_reason=None, turns=0, usage=None, cost_usd=None, tool_calls={}, denied=(), unknown=(),
            duration_ms=0, error=failure,
        )  # fmt: skip


def _place(run_id: str, plan: Plan) -> RunPlace | None:
    session = plan.session
    if session is None:
        return None
    offset = session.history.size if session.history else 0
    return RunPlace(run_id=run_id, session=session.name, path=session.path, offset=offset)
