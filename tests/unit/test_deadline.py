"""The clock for streams that stop moving."""

from __future__ import annotations

import asyncio

import pytest

from finclaw_cli.core.deadline import ProgressTimeout


async def test_a_stream_that_never_begins_runs_out_of_time() -> None:
    with pytest.raises(TimeoutError):
        async with ProgressTimeout(first_s=0.01, idle_s=60):
            await asyncio.Event().wait()


async def test_a_stream_that_stops_runs_out_of_time() -> None:
    async def stop_after_a_word() -> None:
        async with ProgressTimeout(first_s=3600, idle_s=0.01) as progress:
            progress.touch()
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await stop_after_a_word()


async def test_time_in_which_we_hold_the_stream_up_does_not_count() -> None:
    async with ProgressTimeout(first_s=0.01, idle_s=0.01) as progress:
        progress.hold()
        await asyncio.sleep(0.05)
        progress.touch()
