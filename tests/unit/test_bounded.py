"""Work of a plugin with a time limit, and ends that it makes itself."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from finclaw_cli.core.interruption import PluginExit
from finclaw_cli.tools.bounded import bounded


async def test_work_that_cancels_itself_ends_as_an_exit() -> None:
    async def cancelled() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    with pytest.raises(PluginExit):
        await bounded(cancelled(), 10)


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.default_int_handler])
async def test_ctrl_c_is_handled_as_before_after_work_that_ran_a_shell(handler: signal.Handlers) -> None:
    async def shell() -> int:
        return os.system("true")  # noqa: ASYNC221

    before = signal.signal(signal.SIGINT, handler)
    try:
        assert await bounded(shell(), 10) == 0
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
