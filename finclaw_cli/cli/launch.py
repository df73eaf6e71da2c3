"""From a prepared command line to the end of the process."""

from __future__ import annotations

import asyncio
import signal
import traceback
from dataclasses import dataclass, replace
from typing import NoReturn

from finclaw_cli.cli.carry_out import Carrier
from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.outputs import Outputs
from finclaw_cli.cli.prepare import Given, Preparation
from finclaw_cli.cli.signals import SignalHandling
from finclaw_cli.cli.stdin_lines import StdinLines
from finclaw_cli.output.notices import notice
from finclaw_cli.output.stream import take_stdout
from finclaw_cli.runner.cancel import CancelScope, RunCancelled
from finclaw_cli.tools.forks import keep_private, own_loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A command line, and how much it wants to be told."""

    given: Given
    quiet: bool = False
    verbose: bool = False
    debug: bool = False


def launch(wanted: Launch) -> NoReturn:
    """Run and end the process; every path ends here, with the code that the last line says."""
    scope = CancelScope()
    signals = SignalHandling(scope)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a reader that left is an error we handle, not a death
    fd = take_stdout()
    given = wanted.given
    if early := signals.early():
        given = replace(given, refused=RunCancelled(early))
    lines = StdinLines()
    preparation = Preparation(given, scope, lines)
    plan = preparation.plan()
    outputs = Outputs(fd=fd, quiet=wanted.quiet, verbose=wanted.verbose, last_message=wanted.given.last_message)
    carrier = Carrier(plan, outputs, scope, lines)
    # Not `asyncio.run`, which waits for what a tool left behind; the process is about to end anyway.
    keep_private(fd)
    code = asyncio.Runner(loop_factory=own_loop).run(carrier.run_all(preparation.prompts(), signals))
    if wanted.debug and carrier.unexpected is not None:
        notice("".join(traceback.format_exception(carrier.unexpected)))
    leave(code)
