r"""The key that cancels one call: Ctrl-\, which a terminal turns into a signal in each of its modes."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from types import FrameType

from finclaw_cli.output.descriptors import is_terminal
from finclaw_cli.output.foreign_output import stderr_fd
from finclaw_cli.tools.execution import Executions

KEY = signal.SIGQUIT
STDIN = 0


def let_a_key_cancel_calls(loop: asyncio.AbstractEventLoop, cancel_longest: Callable[[], None]) -> None:
    """Cancel the call that has run longest at each press of the key, where there is a terminal; others go on.

    Args:
        loop: in which it is cancelled.
        cancel_longest: cancels it, if there is any.

    No key is read, so that questions, typed prompts and a stopped job are not disturbed. Where no call is under way the
    key does nothing.
    """
    if not any(is_terminal(fd) for fd in (STDIN, stderr_fd())):
        return

    def pressed(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(cancel_longest)

    signal.signal(KEY, pressed)


def cancel_longest_of(calls: Executions) -> None:
    """Cancel the call of this process that has run longest, if there is any."""
    running = [each for each in calls.current if each.state == "running"]
    for each in (running or calls.current)[:1]:
        calls.cancel(each.id)
