"""Talking to a server over the pipes of its process, with bounds: on a line, on what is kept of its errors, on its end.

The process leads a group of its own, of which nothing is left when the connection ends.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

MAX_LINE_BYTES = 4 * 1024 * 1024
MAX_JUNK_LINES = 1_000
"""How many lines that are no messages are passed over before the connection is ended."""
KEPT_STDERR = 8_192
LEAVE_S = 0.3
"""How long a server has to end by itself once its stdin is closed, and again once it was asked to."""

LAST_S = 0.1
"""How long what an ended server has written is waited for: what it left behind may hold its pipes."""


class ServerProcess:
    """One process of a server.

    Args of the constructor:
        command: the program and its arguments.
        env: its whole environment.
        cwd: where it runs.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        self._command = command
        self._env = env
        self._cwd = cwd
        self._stderr = bytearray()
        self._junk = 0
        self.fault = ""
        """Why finclaw ended the connection, if it did."""
        self.ended = asyncio.Event()
        """Set when nothing more will come from the server."""

    @property
    def stderr(self) -> str:
        """The end of what it wrote to stderr."""
        return self._stderr.decode("utf-8", "replace")

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        """Start it; what it sends can be read from the first stream, and what it is to get be written to the second.

        Raises:
            OSError: it cannot be started.
        """
        process = await asyncio.create_subprocess_exec(
            *self._command,
            cwd=self._cwd,
            env=dict(self._env),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=MAX_LINE_BYTES,
            start_new_session=True,
        )
        received, incoming = anyio.create_memory_object_stream[Any](0)
        outgoing, sent = anyio.create_memory_object_stream[Any](0)
        tasks = [
            asyncio.create_task(self._read(process, received)),
            asyncio.create_task(self._write(process, sent)),
            asyncio.create_task(self._keep_stderr(process)),
        ]
        try:
            yield incoming, outgoing
        finally:
            await asyncio.shield(_end(process))
            await asyncio.wait((tasks[0], tasks[2]), timeout=LAST_S)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            _close_pipes(process)
            for stream in (received, incoming, outgoing, sent):
                stream.close()

    async def _read(self, process: Any, received: Any) -> None:
        try:
            while line := await self._line(process):
                with suppress(ValueError):
                    await received.send(
                        SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
                    )
                    continue
                self._junk += bool(line.strip())
                if self._junk > MAX_JUNK_LINES:
                    self.fault = "it sends what is no message of the protocol"
                    return
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return
        finally:
            self.ended.set()
            received.close()

    async def _line(self, process: Any) -> bytes:
        line = b""
        try:
            line = await process.stdout.readline()
        except ValueError:  # of asyncio, for a line without an end
            self.fault = f"it sent a line of more than {MAX_LINE_BYTES:,} bytes"
        return line

    async def _write(self, process: Any, sent: Any) -> None:
        with suppress(OSError):
            async for message in sent:
                process.stdin.write(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await process.stdin.drain()

    async def _keep_stderr(self, process: Any) -> None:
        while piece := await process.stderr.read(KEPT_STDERR):
            self._stderr += piece
            del self._stderr[:-KEPT_STDERR]


async def _end(process: Any) -> None:
    """End a process and all of its group: by the end of its stdin, by SIGTERM, by SIGKILL."""
    process.stdin.close()
    for number in (None, signal.SIGTERM):
        if number is not None:
            _signal_group(process.pid, number)
        with suppress(TimeoutError):
            await asyncio.wait_for(_exited(process), LEAVE_S)
    _signal_group(process.pid, signal.SIGKILL)  # what it has left behind, too
    await _exited(process)


def _close_pipes(process: Any) -> None:
    process._transport.close()  # noqa: SLF001 - nothing public closes its pipes, which others may hold, and then it warns


async def _exited(process: Any) -> None:
    """Wait for the process alone: `wait` waits for its pipes as well, which what it started may hold."""
    while process.returncode is None:  # noqa: ASYNC110 - there is no event for the end of the process alone
        await asyncio.sleep(0.005)


def _signal_group(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)
