"""The process that commands are forked from: it has imported and compiled what every run uses."""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import pickle
import select
import signal
import socket
import sys
import termios
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path

from tests.measured import save_before_signals, save_measured

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


STANDARD = 3
"""How many streams a process begins with."""


@dataclass(frozen=True)
class Command:
    """A command line, and the process that it runs in."""

    arguments: tuple[str, ...]
    env: dict[str, str]
    cwd: Path
    before: Before | None = None
    """Called before the command begins."""
    new_session: bool = False
    terminal: str | None = None
    """Its controlling terminal, where it has a session of its own."""


def serve(fd: int, modules: Sequence[str]) -> None:
    """Fork a process for each command that arrives at the socket, until it is closed.

    A command comes as five descriptors: a file with the pickled `Command`, where to write the number of the process
    and, at its end, its exit code (negative for a signal), and the three standard streams.
    """
    gc.disable()
    for module in (*IMPORTED, *modules):
        importlib.import_module(module)
    _complete_records()
    gc.collect()
    save_measured()
    gc.freeze()  # a collection in a forked process would copy all these pages
    gc.enable()
    _Server(socket.socket(fileno=fd)).serve()


def _complete_records() -> None:
    """Complete the classes of all records, which each process would do anew for those that it uses."""
    from finclaw_cli.core import record

    for kind in [each for each in gc.get_objects() if issubclass(type(each), type) and "_plan" in vars(each)]:
        type.__setattr__(kind, "__init__", record._compiled_init(kind, vars(kind)["_plan"]))
        fields(kind)


class _Server:
    """Forks processes, and reports their ends."""

    def __init__(self, asking: socket.socket) -> None:
        self._asking = asking
        self._ended, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wake = wake
        self._reports: dict[int, int] = {}
        """Where to report the end of each running process."""
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._asking, self._ended], [], [])
            if self._ended in ready:
                os.read(self._ended, 4_096)
                self._report_ends()
            if self._asking in ready:
                _, descriptors, _, _ = socket.recv_fds(self._asking, 1, 2 + STANDARD)
                if not descriptors:
                    return
                self._fork(*descriptors)

    def _fork(self, asked: int, report: int, *streams: int) -> None:
        pid = os.fork()
        if pid == 0:
            self._forget()
            os.close(report)
            _become(asked, streams)
        self._reports[pid] = report
        os.write(report, f"{pid}\n".encode())
        for fd in (asked, *streams):
            os.close(fd)

    def _forget(self) -> None:
        """Let go of all that is the server's, in a process that was forked."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._asking.close()
        for fd in (self._ended, self._wake, *self._reports.values()):
            os.close(fd)

    def _report_ends(self) -> None:
        while self._reports:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            report = self._reports.pop(pid)
            with suppress(BrokenPipeError):
                os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(report)


def _become(asked: int, streams: Sequence[int]) -> None:
    """Run the command and end this process."""
    code = 1
    try:
        with os.fdopen(asked, "rb") as file:
            command: Command = pickle.load(file)
        _take_streams(streams, command)
        _run(command)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:  # noqa: BLE001 - what a new process would show
        traceback.print_exc()
    threading._shutdown()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(code)


def _take_streams(streams: Sequence[int], command: Command) -> None:
    for number, fd in enumerate(streams):
        os.dup2(fd, number)
        os.close(fd)
    if command.new_session:
        os.setsid()
    if command.terminal is not None:
        fd = os.open(command.terminal, os.O_RDWR)
        fcntl.ioctl(fd, termios.TIOCSCTTY, 0)
        os.close(fd)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def _run(command: Command) -> None:
    """Become what a fresh process would be, and run the command."""
    os.environ.clear()
    os.environ.update(command.env)
    time.tzset()
    os.chdir(command.cwd)
    sys.path[:0] = [path for path in command.env.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.argv = ["finclaw", *command.arguments]
    save_before_signals()
    if command.before is not None:
        command.before()
    from finclaw_cli.__main__ import main
    from finclaw_cli.cli.early import watch

    watch(sys.argv[1:])
    main()
