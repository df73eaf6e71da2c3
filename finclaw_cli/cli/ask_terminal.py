"""Asking on the controlling terminal: stdin and stdout belong to data, so neither is read or written here."""

from __future__ import annotations

import asyncio
import json
import os
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.json_text import plain
from finclaw_cli.core.ports import Approval, ApprovalRequest
from finclaw_cli.masking.secrets import PROCESS

TERMINAL = "/dev/tty"
MAX_REASON_BYTES = 1_000
KEYS = "y yes · n no · r no, and say why"
ALWAYS = " · a always, for this tool in this run"
EOF, ESCAPE = b"\x04", b"\x1b"


class TerminalApprover:
    """Asks a person, one question at a time. Whatever is no clear yes is a no: silence, the end of input, a hang-up."""

    def __init__(self, timeout_s: float, *, bold: bool = False) -> None:
        self._timeout_s = timeout_s
        self._bold = bold
        self._one_by_one = asyncio.Lock()
        self._always: set[str] = set()

    async def ask(self, request: ApprovalRequest) -> Approval:
        async with self._one_by_one:
            if _identity(request) in self._always and _may_always(request):
                return _answer(request, granted=True, by="terminal, always in this run")
            try:
                with _terminal() as fd:
                    return await self._asked(fd, request)
            except OSError:
                return _answer(request, granted=False, by="nobody", reason="there is nobody to ask in this run")

    async def _asked(self, fd: int, request: ApprovalRequest) -> Approval:
        _write(fd, _question(request, bold=self._bold))
        try:
            async with asyncio.timeout(self._timeout_s):
                key = await _key(fd, b"ynra" if _may_always(request) else b"ynr")
                _write(fd, f"{key.decode()}\n")
                if key == b"r":
                    reason = await _line(fd)
                    return _answer(request, granted=False, by="terminal", reason=f"the user said: {reason or 'no'}")
        except TimeoutError:
            _write(fd, f"\nno answer within {self._timeout_s:g} s: no\n")
            return _answer(
                request, granted=False, by="terminal", reason=f"nobody answered within {self._timeout_s:g} s"
            )
        if key == b"a":
            self._always.add(_identity(request))
        granted = key in {b"y", b"a"}
        return _answer(request, granted=granted, by="terminal", reason="" if granted else "the user said no")


def _answer(request: ApprovalRequest, *, granted: bool, by: str, reason: str = "") -> Approval:
    return Approval(granted=granted, by=by, request_id=request.id, reason=reason)


def _identity(request: ApprovalRequest) -> str:
    return f"{request.spec.source} {request.spec.name}"


def _may_always(request: ApprovalRequest) -> bool:
    """What moves money is asked about each time; so is what repeats itself."""
    return not request.spec.transactional and request.verdict.stage != "loop"


@contextmanager
def _terminal() -> Iterator[int]:
    """The controlling terminal, giving single keys unseen; what was typed before the question is no answer to it.

    Raises:
        OSError: there is none, or it belongs to another command at the moment.
    """
    fd = os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY)
    try:
        if os.tcgetpgrp(fd) != os.getpgrp():
            raise OSError("in the background")
        before = termios.tcgetattr(fd)
        try:
            tty.setcbreak(fd, termios.TCSAFLUSH)
            yield fd
        finally:
            termios.tcsetattr(fd, termios.TCSAFLUSH, before)
    except termios.error as error:
        raise OSError(*error.args) from error
    finally:
        os.close(fd)


async def _key(fd: int, wanted: bytes) -> bytes:
    """The first key that means something; what ends a question without an answer means no."""
    while True:
        typed = await _read(fd)
        # Only a key pressed alone counts: what is pasted, or sent by the terminal itself, decides nothing.
        if len(typed) == 1 and typed.lower() in wanted:
            return typed.lower()
        if typed in {b"", EOF, ESCAPE, b"\n", b"\r", b"q", b"Q"}:
            return b"n"


async def _line(fd: int) -> str:
    _write(fd, "why? ")
    typed = bytearray()
    while len(typed) < MAX_REASON_BYTES:
        piece = await _read(fd)
        if piece in {b"", EOF}:
            break
        for byte in piece:
            if byte in b"\r\n":
                _write(fd, "\n")
                return _words(typed)
            _edit(fd, typed, byte)
    return _words(typed)


def _edit(fd: int, typed: bytearray, byte: int) -> None:
    if byte in b"\x7f\x08":
        if typed:
            typed.pop()
            os.write(fd, b"\b \b")
    elif byte >= ord(" "):
        typed.append(byte)
        os.write(fd, bytes([byte]))


def _words(typed: bytearray) -> str:
    return clean_line(typed.decode("utf-8", "replace")).strip()


async def _read(fd: int) -> bytes:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def wake() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(fd, wake)
    try:
        await ready
    finally:
        loop.remove_reader(fd)
    return os.read(fd, 1024)


def _write(fd: int, text: str) -> None:
    data = PROCESS.mask(text).encode("utf-8", "replace")
    while data:
        data = data[os.write(fd, data) :]


def _question(request: ApprovalRequest, *, bold: bool) -> str:
    strong, usual = ("\x1b[1m", "\x1b[0m") if bold else ("", "")
    name = clean_line(request.call.name)
    preview = f"\n{_indented(request.preview)}\n" if request.preview else ""
    return (
        f"\n{strong}{name} wants to run{usual} ({clean_line(request.spec.source)})\n"
        f"why it asks: {clean_line(request.verdict.reason)} [{request.verdict.stage}]\n{preview}\n"
        f"{_arguments(request)}\n"
        f"{strong}Run {name}?{usual} {KEYS}{ALWAYS if _may_always(request) else ''}: "
    )


def _arguments(request: ApprovalRequest) -> str:
    """Every argument, whole; the short ones last, so that no long one can push an amount off the screen."""
    given = {name: json.dumps(plain(value), ensure_ascii=False) for name, value in request.call.input.items()}
    lines = [f"  {clean_line(name)} = {clean(given[name])}" for name in sorted(given, key=lambda n: -len(given[n]))]
    return "with\n" + "\n".join(lines) if lines else "without arguments"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in clean(text).splitlines())
