"""Calling a tool from the command line: the pipeline of a run, without a model."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import NoReturn

from finclaw_cli.app.one_call import CALL_ID, ByHandApprover, OneCall
from finclaw_cli.app.plan import channel, find_installed, with_plugin_rules
from finclaw_cli.cli.leave import die_by, leave
from finclaw_cli.cli.plugins.event_loop import plugin_runner
from finclaw_cli.cli.run.approve import approver_of
from finclaw_cli.cli.run.stdin_lines import StdinLines
from finclaw_cli.cli.terminal.signals import handle
from finclaw_cli.cli.tools.expectation import Expectation, expectation
from finclaw_cli.cli.tools.input import check_names, input_of
from finclaw_cli.cli.tools.result import form_of, print_result
from finclaw_cli.core import exits
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.agent import AgentToolCall, Emitted
from finclaw_cli.core.events.internal import ToolProgress
from finclaw_cli.core.finance import DO_NOT_ESTIMATE
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.record import record
from finclaw_cli.output.foreign_output import clean_foreign_output
from finclaw_cli.output.notice import notice, warn
from finclaw_cli.output.progress import Step, shown_progress
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.plugin_host.plugin_rules import ignored_rules, rules_ignored
from finclaw_cli.plugin_host.tool_hooks import PluginHooks
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.policy_files import load_policy
from finclaw_cli.tools.executor import ToolServices
from finclaw_cli.tools.null_services import NoJournal
from finclaw_cli.tools.processes.forks import keep_private
from finclaw_cli.tools.toolsets import ToolSets
from finclaw_cli.tools.validate import problems_or_fault


@record
class _Progress:
    """Shows the progress that the tool reports."""

    step: Step

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        if isinstance(event, ToolProgress):
            self.step(event.message, event.fraction, 1.0 if event.fraction is not None else None)


@record(kw_only=True)
class ByHand:
    """A call as the command line gives it: `KEY=VALUE` words, or the whole input as JSON."""

    name: str
    arguments: list[str]
    flags: Mapping[str, object]
    timeout_s: float | None
    json: bool = False
    csv: bool = False
    expected: Sequence[str] = ()
    """Conditions that the result has to meet."""


def call_tool(wanted: ByHand) -> NoReturn:
    """Call the tool, print its result, and exit with 0 on success."""
    expected = [expectation(condition) for condition in wanted.expected]
    settings = load_settings(wanted.flags).settings
    policy = load_policy(settings.policy)
    found = find_installed(settings)
    toolsets = ToolSets(
        found.tools, make=found.plugins.toolset, offered=lambda _: (), limit_s=wanted.timeout_s or settings.timeout
    )
    if wanted.json and wanted.csv:
        raise UsageError("--json and --csv are two forms of one result: give one of them")
    call = _checked_call(wanted, toolsets)
    for dist in ignored_rules(found.plugins):
        warn(rules_ignored(dist))
    services = ToolServices(
        policy=StagedPolicy(with_plugin_rules(policy, found.plugins).rules),
        approver=ByHandApprover(approver_of(settings, channel(), StdinLines())),
        journal=NoJournal(),
        hooks=PluginHooks(found.plugins, notice),
    )
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    handle(_end_by)  # with what the tool has started
    private = take_stdout()
    keep_private(private)
    clean_foreign_output(keep_private)
    made = OneCall(
        call=call,
        toolsets=toolsets,
        services=services,
        settings=settings,
        channel=channel(),
        timeout_s=wanted.timeout_s,
    )
    end = plugin_runner().run(_call(made))
    content = end.result or ""
    if end.status in {"completed", "recorded"}:
        code = print_result(private, content, form_of(private, json=wanted.json, csv=wanted.csv))
        leave(code or _judged(content, expected))
    notice(f"finclaw: {content.removesuffix(DO_NOT_ESTIMATE).rstrip()}")  # that advice is for models
    leave(exits.NEEDS_HUMAN if end.status in {"denied", "unknown"} else exits.UNEXPECTED)


def _checked_call(wanted: ByHand, toolsets: ToolSets) -> ToolCall:
    """The call with its input; raises UsageError where the tool cannot be called with it."""
    entry = toolsets.registry.require(wanted.name)
    call = ToolCall(CALL_ID, toolsets.registry.shown_name(entry), input_of(wanted.arguments, entry.spec.input_schema))
    check_names(wanted.name, call.input, entry.spec.input_schema)
    if wrong := problems_or_fault(call, entry.load() if entry.spec.is_trusted else entry.spec):
        raise UsageError(
            f"{wanted.name}: " + "; ".join(wrong), hint=f"`finclaw tools show {wanted.name}` shows its input."
        )
    return call


def _judged(content: str, expected: Sequence[Expectation]) -> int:
    """Name the conditions that a result does not meet; return the exit code."""
    if not expected:
        return exits.OK
    from finclaw_cli.output.values import read_json

    result = read_json(content)
    failures = [failure for one in expected if (failure := one.failure(result)) is not None]
    for failure in failures:
        notice(f"finclaw: {failure}")
    return exits.INVALID_ANSWER if failures else exits.OK


def _end_by(number: int, _frame: FrameType | None) -> None:
    die_by(number)


async def _call(call: OneCall) -> AgentToolCall:
    with shown_progress(plain=call.settings.plain) as step:
        return await call.answer([_Progress(step)])
