"""From a prepared command line to the end of the process."""

from __future__ import annotations

import asyncio
import os
import signal
import traceback
from dataclasses import replace
from typing import NoReturn

from finclaw_cli.cli.carry_out import Carrier
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.outputs import Outputs
from finclaw_cli.cli.prepare import Given, Preparation
from finclaw_cli.cli.signals import SignalHandling
from finclaw_cli.cli.stdin_lines import StdinLines
from finclaw_cli.cli.turn_scope import TurnScope
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.masking.stray_logs import mask_stray_logs
from finclaw_cli.output.notice import notice
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.runner.cancel import CancelScope, RunCancelled
from finclaw_cli.tools.forks import keep_private, own_loop

NO_TERMINAL = "--interactive needs a terminal for stdin and stdout"
WITHOUT = "A program asks question by question with --input-format ndjson, or with --session NAME."


@record(kw_only=True)
class Launch:
    """A command line, and how much it wants to be told."""

    given: Given
    quiet: bool = False
    verbose: bool = False
    debug: bool = False


def launch(wanted: Launch) -> NoReturn:
    """Run and end the process; every path ends here, with the code that the last line says."""
    mask_stray_logs()
    given = wanted.given
    scope = TurnScope() if given.interactive else CancelScope()
    signals = SignalHandling(scope)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a reader that left is an error we handle, not a death
    fd = take_stdout()
    if given.interactive and not (_is_terminal(0) and _is_terminal(fd)):
        given = replace(given, refused=UsageError(NO_TERMINAL, hint=WITHOUT))
    if early := signals.early():
        given = replace(given, refused=RunCancelled(early))
    lines = StdinLines()
    preparation = Preparation(given, scope, lines)
    plan = preparation.plan()
    outputs = Outputs(fd=fd, quiet=wanted.quiet, verbose=wanted.verbose, last_message=wanted.given.last_message)
    carrier = Carrier(plan, outputs, scope, lines)
    # Not `asyncio.run`, which waits for what a tool left behind; the process is about to end anyway.
    keep_private(fd)
    runner = asyncio.Runner(loop_factory=own_loop)
    signals.attach(runner.get_loop())
    if isinstance(scope, TurnScope) and plan.error is None:
        from finclaw_cli.cli.interactive import converse

        code = runner.run(converse(carrier, scope, signals, preparation.first(), outputs))
    else:
        code = runner.run(carrier.run_all(preparation.prompts()))
    if wanted.debug and carrier.unexpected is not None:
        notice("".join(traceback.format_exception(carrier.unexpected)))
    leave(code)


def _is_terminal(fd: int) -> bool:
    try:
        return os.isatty(fd)
    except OSError:  # closed
        return False
