"""Running a program for a tool: in a process group of its own, of which nothing is left when the call ends."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from finclaw_cli.core.record import record

TERM_GRACE_S = 2.0
READ_BYTES = 65_536


@record(kw_only=True)
class ProcessEnd:
    """How a program ended. `code` is its exit code, or minus the number of the signal that ended it."""

    code: int
    stdout: bytes
    stderr: bytes
    truncated: bool
    """Whether it wrote more than was kept."""


async def run_process(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
    max_output_bytes: int = 1_000_000,
) -> ProcessEnd:
    """Run a program to its end and give what it wrote.

    It runs in a session of its own. When the call is cancelled (a timeout, Ctrl-C) its whole group gets SIGTERM, and
    SIGKILL two seconds later; what the program left behind in its group is ended with it.

    Args:
        command: the program and its arguments; no shell reads them.
        cwd: where it runs.
        env: its whole environment; nothing of finclaw's own is added.
        stdin: what it may read.
        max_output_bytes: how much of each output is kept; the rest is read and dropped.

    Raises:
        OSError: it cannot be started.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=cwd,
        env=dict(env),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        return await _to_its_end(process, stdin, max_output_bytes)
    except BaseException:
        await _end(process)
        raise


async def _to_its_end(process: asyncio.subprocess.Process, stdin: bytes, limit: int) -> ProcessEnd:
    async with asyncio.TaskGroup() as group:
        out = group.create_task(_kept(process.stdout, limit))
        err = group.create_task(_kept(process.stderr, limit))
        group.create_task(_feed(process.stdin, stdin))
        group.create_task(_wait(process))
    (stdout, more_out), (stderr, more_err) = out.result(), err.result()
    return ProcessEnd(code=await process.wait(), stdout=stdout, stderr=stderr, truncated=more_out or more_err)


async def _wait(process: asyncio.subprocess.Process) -> None:
    """Wait for the program itself; what it left running would keep its outputs open, and is ended."""
    await process.wait()
    _signal_group(process.pid, signal.SIGKILL)


async def _end(process: asyncio.subprocess.Process) -> None:
    _signal_group(process.pid, signal.SIGTERM)
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(TERM_GRACE_S):
                await process.wait()
    finally:
        _signal_group(process.pid, signal.SIGKILL)
    await process.wait()


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


async def _kept(stream: asyncio.StreamReader | None, limit: int) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    size = 0
    while stream is not None and (data := await stream.read(READ_BYTES)):
        parts.append(data[: max(limit - size, 0)])
        size += len(data)
    return b"".join(parts), size > limit


async def _feed(stream: asyncio.StreamWriter | None, data: bytes) -> None:
    if stream is None:
        return  # pragma: no cover - for the type alone: a pipe was asked for
    with suppress(BrokenPipeError, ConnectionResetError):
        stream.write(data)
        await stream.drain()
        stream.close()
        await stream.wait_closed()
