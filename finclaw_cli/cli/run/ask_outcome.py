"""Asking on the controlling terminal for the outcome of a call whose end is not recorded."""

from __future__ import annotations

import asyncio

from finclaw_cli.cli.run.ask_terminal import pressed_key, shown_arguments, strong_marks
from finclaw_cli.cli.terminal.held_terminal import held_terminal
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import ResolvedOutcome
from finclaw_cli.core.tool import ToolSpec

KEYS = "y it ran · n it did not · a it did not, run it again · u I do not know"
ANSWERS: dict[bytes, ResolvedOutcome] = {b"y": "ran", b"n": "did_not_run", b"a": "run_again", b"u": "unknown"}
UNKNOWN = b"u"


class TerminalOutcomeResolver:
    """Asks the user, one question at a time. Without a clear answer the outcome stays unknown."""

    def __init__(self, timeout_s: float, *, bold: bool = False) -> None:
        self._timeout_s = timeout_s
        self._bold = bold
        self._one_by_one = asyncio.Lock()

    async def ask(self, call: ToolCall, spec: ToolSpec) -> ResolvedOutcome:
        async with self._one_by_one:
            try:
                return await self._answer_of_user(call, spec)
            except OSError:
                return "unknown"

    async def _answer_of_user(self, call: ToolCall, spec: ToolSpec) -> ResolvedOutcome:
        strong, usual = strong_marks(bold=self._bold)
        name = clean_line(call.name)
        prompt = f"{strong}Did {name} run?{usual} {KEYS}: "
        with held_terminal() as terminal:
            terminal.write(
                f"\n{strong}{name} was running when the last run ended{usual} ({clean_line(spec.source)})\n"
                f"it is not recorded how it ended: find out before you answer\n\n{shown_arguments(call)}\n{prompt}"
            )
            try:
                async with asyncio.timeout(self._timeout_s):
                    key = await pressed_key(terminal, b"".join(ANSWERS), prompt, none=UNKNOWN)
            except TimeoutError:
                key = UNKNOWN
            terminal.write(f"{key.decode()}\n")
        return ANSWERS[key]
