"""May this call run? The policy's verdict, and somebody's approval where the verdict asks for one."""

from __future__ import annotations

from finclaw_cli.core.events import AgentApproval, AgentApprovalRequest
from finclaw_cli.core.inner_events import ToolPolicyVerdict
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Approver, Emit, Policy, Verdict
from finclaw_cli.core.tool import ToolContext, ToolSpec
from finclaw_cli.tools.outcome import CallOutcome, denied, shown_input


class Consent:
    """Asks the policy, then the approver where the policy says so, and tells what each said."""

    def __init__(self, policy: Policy, approver: Approver, emit: Emit) -> None:
        self._policy = policy
        self._approver = approver
        self._emit = emit

    async def refusal(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> CallOutcome | None:
        """Why the call may not run, or None when it may."""
        verdict = self._policy.judge(call, spec, context)
        await self._emit(
            ToolPolicyVerdict(
                turn=context.turn,
                call_id=call.id,
                name=call.name,
                decision=verdict.decision,
                stage=verdict.stage,
                reason=verdict.reason,
            )
        )
        match verdict.decision:
            case "allow":
                return None
            case "deny":
                return denied(f'Tool "{call.name}" denied: {verdict.reason}')
            case "require-approval":
                return await self._ask(call, spec, context, verdict)

    async def _ask(self, call: ToolCall, spec: ToolSpec, context: ToolContext, verdict: Verdict) -> CallOutcome | None:
        await self._emit(
            AgentApprovalRequest(
                turn=context.turn,
                call_id=call.id,
                name=call.name,
                input=shown_input(call),
                stage=verdict.stage,
                reason=verdict.reason,
            )
        )
        approval = await self._approver.ask(call, spec, verdict)
        await self._emit(
            AgentApproval(
                turn=context.turn,
                call_id=call.id,
                name=call.name,
                decision="allow" if approval.granted else "deny",
                by=approval.by,
                reason=approval.reason,
            )
        )
        if approval.granted:
            return None
        reason = f"{verdict.reason}; {approval.reason}" if approval.reason else verdict.reason
        return denied(f'Tool "{call.name}" needs approval: {reason}')
