"""The process that commands are forked from: it has imported and compiled what every run uses."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from multiprocessing.connection import Connection
from pathlib import Path

IMPORTED = (
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
    "truststore",
    "typer._adapters",
)
Before = Callable[[], None]


@dataclass(frozen=True)
class Streams:
    """Where a process reads and writes: files, so that nothing has to be read while it runs."""

    stdin: Path
    stdout: Path
    stderr: Path


@dataclass(frozen=True)
class Command:
    """A command line, and the process that it runs in."""

    arguments: tuple[str, ...]
    env: dict[str, str]
    cwd: Path
    streams: Streams
    before: Before | None
    """Called before the command begins."""


def serve(fd: int, modules: Sequence[str]) -> None:
    """Fork a process for each command that arrives at the connection, one after another, until it is closed.

    The answers are the number of the process and, at its end, its exit code, negative for a signal.
    """
    connection = Connection(fd)
    for module in (*IMPORTED, *modules):
        importlib.import_module(module)
    _complete_records()
    gc.collect()
    gc.freeze()  # a collection in a forked process would copy all these pages
    while True:
        try:
            asked = connection.recv_bytes()
        except EOFError:
            return
        pid = os.fork()
        if pid == 0:
            connection.close()
            _become(asked)
        connection.send(pid)
        _, status = os.waitpid(pid, 0)
        connection.send(os.waitstatus_to_exitcode(status))


def _complete_records() -> None:
    """Complete the classes of all records, which each process would do anew for those that it uses."""
    from finclaw_cli.core import record

    for kind in [each for each in gc.get_objects() if issubclass(type(each), type) and "_plan" in vars(each)]:
        type.__setattr__(kind, "__init__", record._compiled_init(kind, vars(kind)["_plan"]))
        fields(kind)


def _become(asked: bytes) -> None:
    """Run the command and end this process."""
    code = 1
    try:
        _run(pickle.loads(asked))
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:  # noqa: BLE001 - what a new process would show
        traceback.print_exc()
    threading._shutdown()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(code)


def _run(command: Command) -> None:
    """Become what a fresh process would be, and run the command."""
    flags = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_APPEND, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    streams = command.streams
    for number, path in enumerate((streams.stdin, streams.stdout, streams.stderr)):
        fd = os.open(path, flags[number], 0o600)
        os.dup2(fd, number)
        os.close(fd)
    sys.stdin = os.fdopen(os.dup(0), encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(command.env)
    time.tzset()
    os.chdir(command.cwd)
    sys.path[:0] = [path for path in command.env.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.argv = ["finclaw", *command.arguments]
    if command.before is not None:
        command.before()
    from finclaw_cli.__main__ import main

    main()
