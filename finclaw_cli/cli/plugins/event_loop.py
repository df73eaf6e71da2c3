"""The event loop of a process that runs code of plugins and then ends."""

from __future__ import annotations

import asyncio
from functools import cache

from finclaw_cli.cli.leave import leave_stuck
from finclaw_cli.cli.terminal.signals import keep_handlers
from finclaw_cli.tools.blocked import watch_loop
from finclaw_cli.tools.processes.forks import own_loop


@cache
def plugin_runner() -> asyncio.Runner:
    """The runner of this process, whose event loop is monitored.

    It is never closed, as that waits for each task and thread of a plugin; the process ends by `leave`.
    """
    runner = asyncio.Runner(loop_factory=own_loop)
    watch_loop(runner.get_loop(), leave_stuck, keep_handlers)
    return runner
