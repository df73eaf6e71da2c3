"""Programs that tools run: what they read and write, how they end, and what is left of them."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from finclaw_cli.sdk import ProcessEnd, run_process


async def run(code: str, tmp_path: Path, *, stdin: bytes = b"", max_output_bytes: int = 1_000_000) -> ProcessEnd:
    command = [sys.executable, "-S", "-c", code]
    return await run_process(command, cwd=tmp_path, env={"GIVEN": "x"}, stdin=stdin, max_output_bytes=max_output_bytes)


async def test_a_program_reads_its_input_and_gives_both_outputs_and_its_code(tmp_path: Path) -> None:
    code = "import sys; print(sys.stdin.read().upper()); print('oops', file=sys.stderr); sys.exit(3)"
    ended = await run(code, tmp_path, stdin=b"hello")
    assert (ended.code, ended.stdout, ended.stderr, ended.truncated) == (3, b"HELLO\n", b"oops\n", False)


async def test_a_program_gets_the_folder_and_the_environment_that_were_given(tmp_path: Path) -> None:
    ended = await run("import os; print(os.getcwd(), os.environ['GIVEN'], 'HOME' in os.environ)", tmp_path)
    folder, given, has_home = ended.stdout.decode().split()
    assert (folder, given, has_home) == (str(tmp_path), "x", "False")


async def test_output_above_the_limit_is_dropped(tmp_path: Path) -> None:
    ended = await run("print('x' * 1_000_000, end='')", tmp_path, max_output_bytes=70_000)
    assert (ended.stdout, ended.truncated) == (b"x" * 70_000, True)


async def test_a_program_need_not_read_its_input(tmp_path: Path) -> None:
    ended = await run("import os; os.close(0); print('done')", tmp_path, stdin=b"x" * 1_000_000)
    assert (ended.code, ended.stdout) == (0, b"done\n")


async def test_what_a_program_leaves_running_without_its_outputs_ends_with_it(tmp_path: Path) -> None:
    code = "from subprocess import *; print(Popen(['sleep', '600'], stdout=DEVNULL, stderr=DEVNULL).pid)"
    ended = await run(code, tmp_path)
    await gone(int(ended.stdout))


async def test_a_program_ends_with_its_call(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    code = "import os, time; open('fifo', 'w').write(str(os.getpid())); time.sleep(60)"
    running = asyncio.create_task(run(code, tmp_path))
    pid = int(await asyncio.to_thread(fifo.read_text))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not is_alive(pid)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def gone(pid: int) -> None:
    async with asyncio.timeout(10):
        while is_alive(pid):  # noqa: ASYNC110 - the process of another one
            await asyncio.sleep(0.01)
