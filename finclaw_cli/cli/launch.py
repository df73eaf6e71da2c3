"""From a prepared command line to the end of the process."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import NoReturn

from finclaw_cli.app.connect import Connector, begin_to_connect
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.outputs import Outputs
from finclaw_cli.cli.plugin_loop import plugin_runner
from finclaw_cli.cli.prepare import CliArguments, RunPreparation
from finclaw_cli.cli.signals import SignalHandling
from finclaw_cli.cli.stdin_lines import StdinLines
from finclaw_cli.cli.turn_scope import TurnScope
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import CancelScope, RunCancelled
from finclaw_cli.masking.stray_logs import mask_stray_logs
from finclaw_cli.output.foreign_output import clean_foreign_output
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.tools.processes.forks import keep_private

NO_TERMINAL = "--interactive needs a terminal for stdin and stdout"
WITHOUT = "A program asks question by question with --input-format ndjson, or with --session NAME."


@record(kw_only=True)
class Launch:
    """A command line with its options of output."""

    given: CliArguments
    quiet: bool = False
    verbose: bool = False
    debug: bool = False


def launch(wanted: Launch) -> NoReturn:
    """Run and end the process, always with the exit code of the result."""
    mask_stray_logs()
    given = wanted.given
    scope = TurnScope() if given.interactive else CancelScope()
    signals = SignalHandling(scope)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a closed pipe is handled as an error
    fd = take_stdout()
    if given.interactive and not (_is_terminal(0) and _is_terminal(fd)):
        given = replace(given, refused=UsageError(NO_TERMINAL, hint=WITHOUT))
    if early := signals.early():
        given = replace(given, refused=RunCancelled(early))
    preparation = RunPreparation(given, scope, StdinLines())
    plan = preparation.plan()
    keep_private(fd)
    clean_foreign_output(keep_private)
    runner = plugin_runner()
    signals.attach(runner.get_loop())
    connect = Connector(plan.settings, plan.installed.providers)
    if plan.error is None:
        begin_to_connect(plan.settings, plan.installed.providers, connect, plan.models[0])
    from finclaw_cli.cli.conduct import conduct  # while the connection is made

    outputs = Outputs(fd=fd, quiet=wanted.quiet, verbose=wanted.verbose, last_message=wanted.given.last_message)
    leave(runner.run(conduct(preparation, plan, connect, outputs, signals, debug=wanted.debug)))


def _is_terminal(fd: int) -> bool:
    try:
        return os.isatty(fd)
    except OSError:  # closed
        return False
