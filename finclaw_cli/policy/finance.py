"""The rules that hold whatever anybody configured: what moves money, or asks for it, needs somebody's consent."""

from __future__ import annotations

from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Approval, Verdict
from finclaw_cli.core.tool import ToolContext, ToolSpec


class FinanceSafety:
    """A policy of two rules: transactional tools, and tools that say so themselves, need an approval."""

    def judge(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> Verdict:  # noqa: ARG002 - the port's shape
        if spec.transactional:
            return Verdict(
                decision="require-approval", stage="finance-safety", reason="it moves money or places orders"
            )
        if spec.requires_approval:
            return Verdict(decision="require-approval", stage="tool-policy", reason="the tool asks for approval")
        return Verdict(decision="allow", stage="default", reason="no rule says otherwise")


class NobodyToAsk:
    """The approver where no one can be asked: it denies."""

    async def ask(self, call: ToolCall, spec: ToolSpec, verdict: Verdict) -> Approval:  # noqa: ARG002 - the port's shape
        return Approval(granted=False, by="nobody", reason="there is nobody to ask in this run")
