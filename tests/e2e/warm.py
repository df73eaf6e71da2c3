"""The real command in a process of its own, forked from one that has imported what every run imports.

A run costs a tenth of a second in place of half a second, which is what makes a suite of thousands of them affordable.
What depends on a start from nothing (imports, signals in the first moments, streams that are pipes or terminals) starts
one: `Finclaw.start`, `Finclaw.shell`, `Finclaw.cold`.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path

from tests.measured import save_before_signals

PRELOADED = (
    "__main__",
    "anthropic",
    "anyio._backends._asyncio",
    "concurrent.futures.thread",
    "ctypes",
    "docstring_parser",
    "filelock",
    "finclaw_cli.__main__",
    "finclaw_cli.app.engine",
    "finclaw_cli.app.present",
    "finclaw_cli.app.toolsets",
    "finclaw_cli.cli.app",
    "finclaw_cli.cli.complete",
    "finclaw_cli.cli.cost.command",
    "finclaw_cli.cli.cost.views",
    "finclaw_cli.cli.error_report",
    "finclaw_cli.cli.plugins.command",
    "finclaw_cli.cli.plugins.own_commands",
    "finclaw_cli.cli.plugins.views",
    "finclaw_cli.cli.replay.command",
    "finclaw_cli.cli.replay.replay_session",
    "finclaw_cli.cli.replay.verify_session",
    "finclaw_cli.cli.run.approve",
    "finclaw_cli.cli.run.ask_outcome",
    "finclaw_cli.cli.run.ask_terminal",
    "finclaw_cli.cli.run.command",
    "finclaw_cli.cli.run.conversation",
    "finclaw_cli.cli.run.launch",
    "finclaw_cli.cli.sessions.views",
    "finclaw_cli.http.h11_client",
    "finclaw_cli.http.httpx_transport",
    "finclaw_cli.http.server",
    "finclaw_cli.http.upload",
    "finclaw_cli.masking.private",
    "finclaw_cli.plugin_host.conformance.author_line",
    "finclaw_cli.plugin_host.first_party_imports",
    "finclaw_cli.plugin_host.listeners",
    "finclaw_cli.plugin_host.offers",
    "finclaw_cli.plugin_host.pinned_loaders",
    "finclaw_cli.plugin_host.probing",
    "finclaw_cli.providers.anthropic.adapter",
    "finclaw_cli.providers.openai.chat",
    "finclaw_cli.providers.openai.responses",
    "finclaw_cli.providers.openai.sdk",
    "finclaw_cli.providers.scripted",
    "finclaw_cli.sdk",
    "finclaw_cli.tools.define",
    "finclaw_cli.usage.sink",
    "genai_prices.data",
    "httpcore2",
    "jsonschema_rs",
    "openai",
    "pydantic.dataclasses",
    "tenacity",
    "tests.e2e.warm",
    "truststore",
    "typer._adapters",
)
Before = Callable[[], None]
_loaded: set[str] = set()


@dataclass(frozen=True)
class Streams:
    """Where a process reads and writes: files, so that nothing has to be read while it runs."""

    stdin: Path
    stdout: Path
    stderr: Path


def preload(*modules: str) -> None:
    """See that runs are forked from a process that has these, and whatever was asked for before."""
    if _loaded >= {*PRELOADED, *modules}:
        return
    if _loaded:
        forkserver._forkserver._stop()  # there is no other way to give it more
    _loaded.update(PRELOADED, modules)
    multiprocessing.get_context("forkserver").set_forkserver_preload(sorted(_loaded))


def run_warm(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    timeout_s: float,
    stdin: bytes | None = None,
    before: Before | None = None,
) -> tuple[int, bytes, bytes]:
    """Run the command to its end: its exit code (negative for a signal), stdout and stderr.

    `before` is called in the process before the command begins.
    """
    preload()
    with tempfile.TemporaryDirectory() as folder:
        streams = Streams(*(Path(folder) / name for name in ("stdin", "stdout", "stderr")))
        if stdin is None:
            streams.stdin.symlink_to(os.devnull)
        else:
            streams.stdin.write_bytes(stdin)
        context = multiprocessing.get_context("forkserver")
        process = context.Process(target=_command, args=(tuple(arguments), dict(env), cwd, streams, before))
        process.start()
        process.join(timeout_s)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise AssertionError(f"it does not end: {streams.stderr.read_bytes().decode()}")
        code = process.exitcode
        process.close()
        return code, streams.stdout.read_bytes(), streams.stderr.read_bytes()


def _command(
    arguments: tuple[str, ...], env: Mapping[str, str], cwd: Path, streams: Streams, before: Before | None
) -> None:
    """Become what a fresh process would be, and run the command."""
    flags = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_APPEND, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number, path in enumerate((streams.stdin, streams.stdout, streams.stderr)):
        fd = os.open(path, flags[number], 0o600)
        os.dup2(fd, number)
        os.close(fd)
    sys.stdin = os.fdopen(os.dup(0), encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    os.chdir(cwd)
    sys.path[:0] = [path for path in env.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.argv = ["finclaw", *arguments]
    save_before_signals()
    if before is not None:
        before()
    from finclaw_cli.__main__ import main

    main()
