r"""The key that cancels one call: Ctrl-\, which a terminal turns into a signal in each of its modes."""

from __future__ import annotations

import asyncio
import signal
from types import FrameType

from finclaw_cli.output.descriptors import is_terminal
from finclaw_cli.output.foreign_output import stderr_fd
from finclaw_cli.tools.execution import Executions

KEY = signal.SIGQUIT
STDIN = 0


def let_a_key_cancel_calls(loop: asyncio.AbstractEventLoop, calls: Executions) -> None:
    """Cancel the call that has run longest at each press of the key, where there is a terminal; others go on.

    No key is read, so that questions, typed prompts and a stopped job are not disturbed. Where no call is under way the
    key does nothing.
    """
    if not any(is_terminal(fd) for fd in (STDIN, stderr_fd())):
        return

    def pressed(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(_cancel_longest, calls)

    signal.signal(KEY, pressed)


def _cancel_longest(calls: Executions) -> None:
    running = [each for each in calls.current if each.state == "running"]
    for each in (running or calls.current)[:1]:
        calls.cancel(each.id)
