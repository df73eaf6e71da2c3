"""How a server ends: its runs first, then their readers, then itself; and what keeps it from beginning."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from finclaw_cli.serve.limits import Limits
from tests.agent.scripts import Scripts
from tests.e2e.harness import COMMAND, PATIENCE_S, checked_lines
from tests.e2e.warm import run_warm
from tests.serve.clients import Served, frames, serving

LONG = {"text": "x" * 1_500_000, "delta_chars": 30_000}
"""More than the buffers of a connection hold."""
ENDLESS = {"text": "x" * 100_000, "delta_chars": 1, "delay_s": 0.001}


@pytest.mark.asyncio
async def test_a_server_that_stops_ends_its_runs_and_then_their_readers(without_plugins: Path, script: Scripts):
    async with serving() as served:
        run_id = await served.start(model=script(ENDLESS))
        async with served.socket(f"/v1/runs/{run_id}/events") as socket, asyncio.TaskGroup() as group:
            first = await socket.recv()
            by_sse = group.create_task(served.read(run_id))
            by_socket = group.create_task(frames(socket))
            await asyncio.sleep(0.05)
            served.stop()
        lines = checked_lines(first.encode() + by_socket.result())
        assert socket.close_code == 1000
        assert lines == checked_lines(by_sse.result())
    assert (lines[-1]["status"], lines[-1]["exit_code"], lines[-1]["error"]["code"]) == ("aborted", 143, "terminated")
    async with serving() as later:
        again = await later.start(None, session=run_id, resume=True, model=script({"text": "Then."}))
        assert (await later.result(again))["text"] == "Then."


async def streaming(served: Served, run_id: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A client that has asked for the events of a run, and of which the system buffers little."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)  # before it connects, so that it stays as small
    client.connect(("127.0.0.1", served.server.port))
    reader, writer = await asyncio.open_connection(sock=client, limit=1_024)
    head = f"GET /v1/runs/{run_id}/events HTTP/1.1\r\nHost: 127.0.0.1:{served.server.port}\r\n"
    writer.write(f"{head}Authorization: Bearer {served.token}\r\nAccept: text/event-stream\r\n\r\n".encode())
    return reader, writer


@pytest.mark.asyncio
async def test_a_reader_that_reads_nothing_does_not_keep_a_server_from_stopping(without_plugins: Path, script: Scripts):
    async with serving(Limits(drain_s=0.1)) as served:
        run_id = await served.start(model=script(LONG))
        await served.ended(run_id)
        reader, writer = await streaming(served, run_id)
        await reader.read(10)
    writer.close()


@pytest.mark.asyncio
async def test_a_client_that_reads_nothing_is_cut_off(without_plugins: Path, script: Scripts):
    async with serving(Limits(stalled_s=0.2)) as served:
        run_id = await served.start(model=script({"text": "x" * 6_000_000, "delta_chars": 30_000}))
        await served.ended(run_id)
        reader, writer = await streaming(served, run_id)
        read = await reader.read(10)
        await asyncio.sleep(0.5)
        with suppress(ConnectionError):
            while piece := await reader.read(65_536):
                read += piece
        assert b'"agent.result"' not in read
    writer.close()


def test_sigterm_ends_a_server_with_exit_code_0_and_no_traceback(without_plugins: Path, script: Scripts):
    served = subprocess.Popen(
        [*COMMAND, "serve"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"FINCLAW_HOME": str(without_plugins), "PATH": "/usr/bin:/bin"},
    )
    try:
        assert served.stdout is not None
        url = served.stdout.readline().decode()
        assert url.startswith("http://127.0.0.1:")
        second = refused_on(url.partition("/#")[0].rpartition(":")[2], without_plugins)
        served.send_signal(signal.SIGTERM)
        stdout, stderr = served.communicate(timeout=PATIENCE_S)
    finally:
        served.kill()
        served.wait()
    assert (served.returncode, stdout, stderr) == (0, b"", b"")
    assert second == 2


def refused_on(port: str, home: Path) -> int:
    """The exit code of a second server on the same port."""
    env = {"FINCLAW_HOME": str(home), "PATH": "/usr/bin:/bin"}
    code, stdout, stderr = run_warm(("serve", "--port", port), env=env, cwd=home, timeout_s=PATIENCE_S)
    assert stdout == b""
    assert "cannot be listened on" in stderr.decode()
    assert "Traceback" not in stderr.decode()
    return code


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--host", "0.0.0.0"), "--token-file"),
        (("--tls-cert", "x.pem"), "go together"),
        (("--token-file", "missing"), "cannot be read"),
        (("--token-file", "open"), "others can read it"),
        (("--token-file", "short"), "a token has"),
        (("--tls-cert", "missing", "--tls-key", "missing"), "cannot be used"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_what_is_not_safe_does_not_begin(without_plugins: Path, arguments: tuple[str, ...], why: str):
    for name, text, mode in (("open", "x" * 43, 0o644), ("short", "secret", 0o600)):
        path = without_plugins / name
        path.write_text(text)
        path.chmod(mode)
    env = {"FINCLAW_HOME": str(without_plugins), "PATH": "/usr/bin:/bin"}
    code, stdout, stderr = run_warm(("serve", *arguments), env=env, cwd=without_plugins, timeout_s=PATIENCE_S)
    assert (code, stdout) == (2, b"")
    assert why in stderr.decode()
    assert "Traceback" not in stderr.decode()


def test_without_the_extra_the_error_names_it(without_plugins: Path):
    program = (
        "import sys; sys.modules['starlette'] = None; sys.argv = ['finclaw', 'serve'];"
        "from finclaw_cli.__main__ import main; main()"
    )
    env = {"FINCLAW_HOME": str(without_plugins), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, check=False, timeout=PATIENCE_S
    )
    assert done.returncode == 2
    assert b"finclaw-cli[serve]" in done.stderr
    assert b"Traceback" not in done.stderr


def test_more_clients_than_open_files_are_refused_before_anything_begins(without_plugins: Path):
    env = {"FINCLAW_HOME": str(without_plugins), "PATH": "/usr/bin:/bin"}
    limited = ["/bin/sh", "-c", 'ulimit -n 200 && exec "$@"', "sh", *COMMAND, "serve"]
    done = subprocess.run(limited, env=env, capture_output=True, check=False, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--max-clients 32 may need" in done.stderr
