"""Asking on the controlling terminal: stdin and stdout belong to data, so neither is read or written here."""

from __future__ import annotations

import asyncio
import json

from finclaw_cli.cli.terminal.held_terminal import HeldTerminal, held_terminal
from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.json_text import plain
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Approval, ApprovalRequest

MAX_REASON_BYTES = 1_000
KEYS = "y yes · n no · r no, and say why"
ALWAYS = " · a always, for this tool in this run"
ALONE = "press one key, and nothing with it"
EOF, ESCAPE = b"\x04", b"\x1b"


class TerminalApprover:
    """Asks the user, one question at a time. All but a clear yes denies: a timeout, the end of input, a hang-up."""

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
                with held_terminal() as terminal:
                    return await self._answer_of_user(terminal, request)
            except OSError:
                return _answer(request, granted=False, by="nobody", reason="there is nobody to ask in this run")

    async def _answer_of_user(self, terminal: HeldTerminal, request: ApprovalRequest) -> Approval:
        prompt = _prompt(request, bold=self._bold)
        terminal.write(_question(request, bold=self._bold) + prompt)
        try:
            async with asyncio.timeout(self._timeout_s) as limit:
                terminal.on_return = lambda: self._begin_again(limit)
                key = await pressed_key(terminal, b"ynra" if _may_always(request) else b"ynr", prompt)
                terminal.write(f"{key.decode()}\n")
                if key == b"r":
                    reason = await _line(terminal)
                    return _answer(request, granted=False, by="terminal", reason=f"the user said: {reason or 'no'}")
        except asyncio.CancelledError:
            terminal.write("\n")  # further output begins on a new line
            raise
        except TimeoutError:
            terminal.write(f"\nno answer within {self._timeout_s:g} s: no\n")
            return _answer(
                request, granted=False, by="terminal", reason=f"there was no answer within {self._timeout_s:g} s"
            )
        if key == b"a":
            self._always.add(_identity(request))
        granted = key in {b"y", b"a"}
        return _answer(request, granted=granted, by="terminal", reason="" if granted else "the user said no")

    def _begin_again(self, limit: asyncio.Timeout) -> None:
        """Restart the timeout after a stop of the process."""
        if not limit.expired():
            limit.reschedule(asyncio.get_running_loop().time() + self._timeout_s)


def _answer(request: ApprovalRequest, *, granted: bool, by: str, reason: str = "") -> Approval:
    return Approval(granted=granted, by=by, request_id=request.id, reason=reason)


def _identity(request: ApprovalRequest) -> str:
    return f"{request.spec.source} {request.spec.name}"


def _may_always(request: ApprovalRequest) -> bool:
    """Whether one consent may cover all calls of the tool: not where it moves money or repeats itself."""
    return not request.spec.transactional and request.verdict.stage != "loop"


async def pressed_key(terminal: HeldTerminal, wanted: bytes, prompt: str, none: bytes = b"n") -> bytes:
    """Wait for one of the wanted keys; `none` where the question ends without an answer."""
    is_warned = False
    while True:
        typed = await terminal.read()
        # Only a key pressed alone counts: text that is pasted, or sent by the terminal itself, is ignored.
        if len(typed) == 1 and typed.lower() in wanted:
            return typed.lower()
        if typed in {b"", EOF, ESCAPE, b"\n", b"\r", b"q", b"Q"}:
            return none
        if len(typed) > 1 and not is_warned:
            is_warned = True
            terminal.write(f"\n{ALONE}\n{prompt}")


async def _line(terminal: HeldTerminal) -> str:
    terminal.write("why? ")
    typed = bytearray()
    while len(typed) < MAX_REASON_BYTES:
        piece = await terminal.read()
        if piece in {b"", EOF}:
            break
        for byte in piece:
            if byte in b"\r\n":
                terminal.write("\n")
                return _words(typed)
            _edit(terminal, typed, byte)
    return _words(typed)


def _edit(terminal: HeldTerminal, typed: bytearray, byte: int) -> None:
    if byte in b"\x7f\x08":
        if typed:
            typed.pop()
            terminal.echo(b"\b \b")
    elif byte >= ord(" "):
        typed.append(byte)
        terminal.echo(bytes([byte]))


def _words(typed: bytearray) -> str:
    return clean_line(typed.decode("utf-8", "replace")).strip()


def _question(request: ApprovalRequest, *, bold: bool) -> str:
    strong, usual = strong_marks(bold=bold)
    preview = f"\n{_indented(request.preview)}\n" if request.preview else ""
    return (
        f"\n{strong}{clean_line(request.call.name)} wants to run{usual} ({clean_line(request.spec.source)})\n"
        f"why it asks: {clean_line(request.verdict.reason)} [{request.verdict.stage}]\n{preview}\n"
        f"{shown_arguments(request.call)}\n"
    )


def _prompt(request: ApprovalRequest, *, bold: bool) -> str:
    strong, usual = strong_marks(bold=bold)
    always = ALWAYS if _may_always(request) else ""
    return f"{strong}Run {clean_line(request.call.name)}?{usual} {KEYS}{always}: "


def strong_marks(*, bold: bool) -> tuple[str, str]:
    """The escape sequences before and after bold text; empty without `bold`."""
    return ("\x1b[1m", "\x1b[0m") if bold else ("", "")


def shown_arguments(call: ToolCall) -> str:
    """All arguments, untruncated; the short ones last, so that a long one cannot push an amount off the screen."""
    given = {name: json.dumps(plain(value), ensure_ascii=False) for name, value in call.input.items()}
    lines = [f"  {clean_line(name)} = {clean(given[name])}" for name in sorted(given, key=lambda n: -len(given[n]))]
    return "with\n" + "\n".join(lines) if lines else "without arguments"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in clean(text).splitlines())
