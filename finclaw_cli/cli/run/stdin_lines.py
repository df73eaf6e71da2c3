"""The reader of NDJSON on stdin: the user's messages, answers to approval requests, and lines that control the run."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from typing import BinaryIO

from finclaw_cli.core.json_text import InvalidJson, parse_object
from finclaw_cli.core.ports import Approval, ApprovalRequest
from finclaw_cli.output.notice import notice, warn
from finclaw_cli.tools.processes.threads import in_thread

MAX_LINE_BYTES = 10 * 1024 * 1024
MESSAGES_AHEAD = 100
ANSWERS_AHEAD = 100
# An answer may be read before its request waits for it; one that is not taken for so long is reported.
CLAIM_S = 1.0
REPORTED_SINGLY = 3
FORM = '{"type": "approval", "id": "…", "decision": "allow"|"deny"}'


class StdinLines:
    """Reads lines as they come: messages are queued in order, answers are matched to the request they name.

    Reading begins with `begin`, or the first `message` or `answer`, and stops while a hundred messages are queued.
    Unexpected lines are reported: lines that are no answers where no messages are expected, and answers to no request.
    """

    def __init__(self) -> None:
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue(MESSAGES_AHEAD)
        self._answers: dict[str, tuple[bool, str]] = {}
        self._news = asyncio.Condition()
        self._ended = False
        self._pump: asyncio.Task[None] | None = None
        self._takes_messages = False
        self._untaken = _Untaken()
        self.obey: Callable[[bytes], bool] = _no_control
        """Takes the lines that control a run; they are neither messages nor answers."""

    def begin(self) -> None:
        """Begin to read, if that has not begun."""
        if self._pump is None:
            self._pump = asyncio.create_task(self._read_all())

    async def message(self) -> bytes | None:
        """The next line that is no answer to a request, cut one byte after the limit; None at the end."""
        self._takes_messages = True
        self.begin()
        line = await self._messages.get()
        if line is None:
            self._messages.put_nowait(None)  # so that each later call returns None too
        return line

    async def answer(self, request_id: str) -> tuple[bool, str] | None:
        """The decision on one request, and the reason given; None where stdin ended without one."""
        self.begin()
        async with self._news:
            await self._news.wait_for(lambda: self._ended or request_id in self._answers)
            return self._answers.pop(request_id, None)

    async def _read_all(self) -> None:
        try:
            with os.fdopen(os.dup(0), "rb") as lines:
                while line := await in_thread(lambda: _read_line(lines)):
                    await self._sort(line)
        except OSError:
            pass  # a stdin that is closed, or cannot be read, has no lines
        finally:
            async with self._news:
                self._ended = True
                self._news.notify_all()
        await self._messages.put(None)

    async def _sort(self, line: bytes) -> None:
        if self.obey(line):
            return
        answered = _answered(line)
        if isinstance(answered, str):
            if self._takes_messages:
                await self._messages.put(line)
            else:
                self._untaken.report(answered)
            return
        request_id, granted, reason = answered
        async with self._news:
            if len(self._answers) >= ANSWERS_AHEAD:
                self._answers.pop(next(iter(self._answers)))
            self._answers.setdefault(request_id, (granted, reason))
            self._news.notify_all()
        asyncio.get_running_loop().call_later(CLAIM_S, self._report_unclaimed, request_id)

    def _report_unclaimed(self, request_id: str) -> None:
        """Report an answer without a request; it is kept, as its request may be delayed."""
        if request_id in self._answers:
            self._untaken.report(f"no pending request has the id {request_id[:80]!r}")


def _no_control(_line: bytes) -> bool:
    return False


class _Untaken:
    """Reports unexpected lines: the first ones singly, then the tenth, the hundredth, and so on."""

    def __init__(self) -> None:
        self._count = 0

    def report(self, why: str) -> None:
        self._count += 1
        if self._count <= REPORTED_SINGLY:
            warn(f"a line on stdin answers nothing: {why}; an answer is {FORM}")
        elif str(self._count).strip("0") == "1":
            warn(f"{self._count:,} lines on stdin answered nothing, the last one: {why}")


class StdioApprover:
    """Waits for the line on stdin that answers an `agent.approval_request` event."""

    def __init__(self, lines: StdinLines, timeout_s: float) -> None:
        self._lines = lines
        self._timeout_s = timeout_s

    async def ask(self, request: ApprovalRequest) -> Approval:
        try:
            async with asyncio.timeout(self._timeout_s):
                decision = await self._lines.answer(request.id)
        except TimeoutError:
            decision = (False, f"there was no answer within {self._timeout_s:g} s")
        granted, reason = decision or (False, "stdin ended without an answer")
        return Approval(granted=granted, by="stdio", request_id=request.id, reason=reason)


def _read_line(lines: BinaryIO) -> bytes:
    while line := lines.readline(MAX_LINE_BYTES + 1):
        if line.strip():
            return line
    return b""


def _answered(line: bytes) -> tuple[str, bool, str] | str:
    """The request that a line answers, whether it is granted, and the reason; or why the line is no answer.

    Only a well-formed answer with exactly `allow` grants the request.
    """
    try:
        loose = json.loads(line)
    except (ValueError, RecursionError):
        return "it is not JSON"
    if not isinstance(loose, dict) or loose.get("type") != "approval":
        return 'it is no object of type "approval"'
    request_id = loose.get("id")
    if not isinstance(request_id, str):
        request_id = ""  # no request has it
    try:
        answer = parse_object(line.decode("utf-8"))
    except (InvalidJson, UnicodeDecodeError) as error:
        return request_id, False, f"the answer was malformed: {error}"
    decision = answer.get("decision")
    if decision not in ("allow", "deny"):  # a tuple: the value may be unhashable
        notice(f"finclaw: an approval's decision is allow or deny, not {decision!r}: taken as deny")
    return request_id, decision == "allow", str(answer.get("reason") or "")
