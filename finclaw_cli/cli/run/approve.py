"""The approver of a run of the command line: patterns given in advance, then the terminal or stdin."""

from __future__ import annotations

from finclaw_cli.app.approvals import AdvanceApprover
from finclaw_cli.cli.run.ask_outcome import TerminalOutcomeResolver
from finclaw_cli.cli.run.ask_terminal import TerminalApprover
from finclaw_cli.cli.run.outputs import is_rich
from finclaw_cli.cli.run.stdin_lines import StdinLines, StdioApprover
from finclaw_cli.core.ports import Approver, OutcomeResolver
from finclaw_cli.settings.model import Settings
from finclaw_cli.tools.null_services import NoApprover, NoOutcomeResolver


def approver_of(settings: Settings, channel: str, lines: StdinLines) -> Approver:
    """The approver of a run, by its settings and by where it runs."""
    return AdvanceApprover(settings.approve, _person(settings, channel, lines))


def outcome_resolver_of(settings: Settings, channel: str) -> OutcomeResolver:
    """The resolver of calls that an earlier run began: the user at the terminal, if there is one."""
    if settings.approval != "terminal" or channel == "ci":
        return NoOutcomeResolver()
    return TerminalOutcomeResolver(settings.approval_timeout, bold=is_rich(settings))


def _person(settings: Settings, channel: str, lines: StdinLines) -> Approver:
    match settings.approval:
        case "none":
            return NoApprover()
        case "stdio":
            return StdioApprover(lines, settings.approval_timeout)
        case "terminal":
            # In CI there may be a terminal, but no user.
            return (
                NoApprover() if channel == "ci" else TerminalApprover(settings.approval_timeout, bold=is_rich(settings))
            )
