"""Whether a call may run: the policy's verdict, and an approval where the verdict asks for one."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.events.approval import AgentApproval, AgentApprovalRequest
from finclaw_cli.core.events.internal import ToolLoop, ToolPolicyDeny, ToolPolicyVerdict
from finclaw_cli.core.ids import approval_id
from finclaw_cli.core.interruption import OutOfTime
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Approval, ApprovalRequest, Approver, Emit, Policy, Verdict
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolHandler, ToolSpec
from finclaw_cli.tools.bounded import bounded
from finclaw_cli.tools.loops import LoopDetector
from finclaw_cli.tools.outcome import CallOutcome, denied, shown_input
from finclaw_cli.tools.render import render

PREVIEW_S = 5.0
MAX_PREVIEW = 20_000


class Consent:
    """Asks the policy, then the approver where the policy requires it, and reports both decisions."""

    def __init__(self, policy: Policy, approver: Approver, loops: LoopDetector, emit: Emit) -> None:
        self._policy = policy
        self._approver = approver
        self._loops = loops
        self._emit = emit
        self._requests = 0
        self._told_sensitive: set[str] = set()

    async def refusal(self, call: ToolCall, tool: ToolSpec, context: ToolContext) -> CallOutcome | None:
        """Why the call may not run, or None when it may."""
        verdict = await self._verdict(call, tool, context)
        match verdict.decision:
            case "allow":
                return None
            case "deny":
                await self._emit(
                    ToolPolicyDeny(
                        turn=context.turn,
                        call_id=call.id,
                        name=call.name,
                        stage=verdict.stage,
                        reason=verdict.reason,
                    )
                )
                return denied(f'Tool "{call.name}" denied: {verdict.reason}')
            case "require-approval":
                return await self._ask(call, tool, context, verdict)

    async def repetition(self, call: ToolCall, turn: int) -> str | None:
        """In what way the model repeats itself with this call, or None; a repetition is reported. Counts the call."""
        repeated = self._loops.repeated(call)
        if repeated is None:
            return None
        await self._emit(ToolLoop(turn=turn, call_id=call.id, name=call.name, reason=repeated))
        return f"you are repeating yourself: {repeated}"

    async def _verdict(self, call: ToolCall, tool: ToolSpec, context: ToolContext) -> Verdict:
        verdict = self._policy.judge(call, tool, context)
        repetition = await self.repetition(call, context.turn)
        if repetition is not None and verdict.decision != "deny":
            reason = f"{repetition}; use the results you have"
            verdict = replace(verdict, decision="require-approval", stage="loop", reason=reason)
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
        if tool.sensitive and tool.name not in self._told_sensitive and verdict.decision != "deny":
            self._told_sensitive.add(tool.name)
            message = f"{tool.name} reads private financial data, which the model will see"
            await self._emit(AgentWarning(code="sensitive_tool", message=message))
        return verdict

    async def _ask(self, call: ToolCall, tool: ToolSpec, context: ToolContext, verdict: Verdict) -> CallOutcome | None:
        request = await self._request(call, tool, context, verdict)
        await self._emit(
            AgentApprovalRequest(
                turn=context.turn,
                call_id=call.id,
                name=call.name,
                id=request.id,
                input=shown_input(call),
                stage=verdict.stage,
                reason=verdict.reason,
                preview=request.preview,
            )
        )
        approval = await self._answer(request)
        await self._emit(
            AgentApproval(
                turn=context.turn,
                call_id=call.id,
                name=call.name,
                id=request.id,
                decision="allow" if approval.granted else "deny",
                by=approval.by,
                reason=approval.reason,
            )
        )
        if approval.granted:
            return None
        reason = f"{verdict.reason}; {approval.reason}" if approval.reason else verdict.reason
        return denied(f'Tool "{call.name}" needs approval: {reason}')

    async def _answer(self, request: ApprovalRequest) -> Approval:
        try:
            approval = await self._approver.ask(request)
        except Exception as error:  # noqa: BLE001 - an approver that fails has approved nothing
            return Approval(granted=False, by="nobody", request_id=request.id, reason=f"asking failed: {error}")
        if approval.granted and approval.request_id != request.id:
            return replace(approval, granted=False, reason="the answer was given to another request")
        return approval

    async def _request(self, call: ToolCall, tool: ToolSpec, context: ToolContext, verdict: Verdict) -> ApprovalRequest:
        self._requests += 1
        identity = [context.run_id, context.turn, call.id, self._requests, tool.source, tool.name, tool.input_schema]
        return ApprovalRequest(
            id=approval_id(identity, call.input),
            call=call,
            spec=tool,
            verdict=verdict,
            preview=await _preview(call, tool, context),
        )


async def _preview(call: ToolCall, tool: ToolSpec, context: ToolContext) -> str:
    if not isinstance(tool, ToolDefinition) or tool.preview is None:
        return ""
    try:
        shown = str(await bounded(_rendered(tool.preview, call, context), PREVIEW_S))
    except OutOfTime:
        return "(the tool gave no preview in time)"
    except Exception as error:  # noqa: BLE001 - the user decides without a preview
        return f"(the tool could not say what the call would do: {error})"
    return shown if len(shown) <= MAX_PREVIEW else f"{shown[:MAX_PREVIEW]}\n… ({len(shown):,} characters in all)"


async def _rendered(preview: ToolHandler, call: ToolCall, context: ToolContext) -> str:
    return render(await preview(deepcopy(call.input), context))
