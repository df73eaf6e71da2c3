"""The answer on a terminal: streamed Markdown, running tools with their time, a status line at the end."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from importlib import import_module

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.markdown import Markdown
from rich.spinner import Spinner
from rich.text import Text
from rich.theme import Theme

from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.events.agent import (
    AgentDelta,
    AgentFailover,
    AgentResult,
    AgentRetry,
    AgentStart,
    AgentToolCall,
    Emitted,
    Event,
)
from finclaw_cli.core.events.approval import AgentApproval, AgentApprovalRequest
from finclaw_cli.core.events.internal import ToolOutcomeRequest, ToolOutcomeTold, ToolProgress
from finclaw_cli.output.call_progress import progress_words
from finclaw_cli.output.markdown import UnsettledMarkdown
from finclaw_cli.output.notices import CallLines, status_line
from finclaw_cli.output.pace import Pace

REFRESHES_PER_SECOND = 12
LIVE_CHARS = 1_500
# A terminal echoes Ctrl-C as ^C, which may begin a new line and displace the live region.
ROOM_FOR_KEYS = 3
# Code on the terminal's own background.
THEME = Theme({"markdown.code": "bold cyan", "markdown.code_block": "cyan"})


def _no_entry_points(_group: str) -> tuple[()]:
    """Replace the entry points of pygments, so that a code block imports no lexers of installed packages."""
    return ()


setattr(import_module("pygments.plugin"), "iter_entry_points", _no_entry_points)  # noqa: B010 - it has no other switch


class TerminalSink:
    """Renders the answer with rich, whose input is always cleaned.

    Complete paragraphs are printed once and only the last one is redrawn, a few times a second and no more than a
    screenful of it, so that the cost per word does not grow with the answer. The event loop draws, not a thread, so
    that a terminal that hangs up is an error like any other.
    """

    def __init__(self, fd: int, on_failed: Callable[[OSError], None], *, status: bool) -> None:
        file = os.fdopen(os.dup(fd), "w", encoding="utf-8", errors="replace")
        self._console = Console(file=file, force_terminal=True, highlight=False, markup=False, theme=THEME)
        self._on_failed = on_failed
        self._status = status
        self._tail = UnsettledMarkdown(LIVE_CHARS)
        self._printed = False
        self._calls = CallLines()
        self._running: dict[str, _Running] = {}
        self._announced: dict[str, str] = {}
        """The names of the calls that the model writes, by id."""
        self._waiting: Spinner | None = None
        self._questions = 0
        self._held: list[Event] = []
        self._timer: asyncio.TimerHandle | None = None
        self._live = Live(console=self._console, get_renderable=self._region, auto_refresh=False, transient=True)

    async def take(self, emitted: Emitted) -> None:
        try:
            self._take(emitted.event)
        except OSError as error:
            self._stop()
            self._on_failed(error)

    def _take(self, event: Event) -> None:
        match event:
            case AgentApproval() | ToolOutcomeTold():
                self._come_back()
            case AgentResult():
                self._let_go()
                self._end(event)
            case AgentApprovalRequest() | ToolOutcomeRequest():
                self._make_way()
            case _ if self._questions:
                self._held.append(event)
            case _:
                self._show(event)

    def _show(self, event: Event) -> None:
        match event:
            case AgentStart():
                self._waiting = Spinner("dots", style="dim")
                self._live.start()
                self._tick()
            case AgentDelta():
                self._say(event.text)
            case AgentRetry() | AgentFailover():
                self._void(event.message)
            case AgentToolCall(status="announced"):
                self._announce(event)
            case AgentToolCall():
                self._call(event)
            case ToolProgress() if running := self._running.get(event.call_id):
                running.report(event)
            case _:
                pass

    def _tick(self) -> None:
        try:
            self._live.refresh()
        except OSError as error:
            self._on_failed(error)
            return
        self._timer = asyncio.get_running_loop().call_later(1 / REFRESHES_PER_SECOND, self._tick)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _make_way(self) -> None:
        """Stop drawing while there is a question on this terminal."""
        self._questions += 1
        self._stop()
        self._settle()
        self._live.stop()

    def _come_back(self) -> None:
        self._questions -= 1
        if not self._questions:
            self._live.start()
            self._let_go()
            self._tick()

    def _let_go(self) -> None:
        """Show the events that were held back during a question."""
        held, self._held = self._held, []
        for event in held:
            self._show(event)

    def _say(self, text: str) -> None:
        self._wait(None)
        self._print(self._tail.add(text))

    def _print(self, text: str) -> None:
        if not text.strip():
            return
        if self._printed:
            self._live.console.print()  # the blank line between blocks
        self._live.console.print(_markdown(text))
        self._printed = True

    def _settle(self) -> None:
        """Print the last block; first remove it from the live region, so that it is never shown twice."""
        self._print(self._tail.take())

    def _void(self, why: str) -> None:
        self._settle()
        self._live.console.print(Text(f"— void: {clean_line(why)} —", style="yellow"))
        self._wait(Spinner("dots", style="dim"))

    def _wait(self, spinner: Spinner | None) -> None:
        self._waiting = spinner
        self._announced.clear()

    def _announce(self, event: AgentToolCall) -> None:
        self._settle()
        self._announced[event.call_id] = clean_line(event.name)
        self._waiting = Spinner("dots", Text(f"{', '.join(self._announced.values())} …", style="dim"), style="dim")

    def _call(self, event: AgentToolCall) -> None:
        line = self._calls.line(event)
        if event.status == "running":
            self._wait(None)
            self._settle()
            self._running[event.call_id] = _Running(clean_line(event.name))
        elif line is not None:
            self._settle()  # a call that never ran has no region
            self._running.pop(event.call_id, None)
            self._live.console.print(Text(line, style="dim"))
            if not self._running:
                self._wait(Spinner("dots", style="dim"))

    def _end(self, event: AgentResult) -> None:
        self._stop()
        self._questions = 0  # a cancelled question gets no answer
        self._running.clear()
        self._wait(None)
        self._settle()
        self._printed = False
        self._live.stop()
        if self._status and event.turns:
            self._console.print(Text(clean_line(status_line(event)), style="dim"))

    def _region(self) -> Constrain:
        """The live region: the end of the text, and the running tools."""
        parts: list[RenderableType] = [*self._running.values()]
        if len(self._tail) > LIVE_CHARS:
            parts.insert(0, Text(clean(self._tail.shown)))
        elif self._tail.shown.strip():
            parts.insert(0, _markdown(self._tail.shown))
        if self._waiting is not None:
            parts.append(self._waiting)
        return Constrain(Group(*parts), max(self._console.width - ROOM_FOR_KEYS, 1))


class _Running(Spinner):
    """A spinner with the running time of a tool, and its last report."""

    def __init__(self, name: str) -> None:
        super().__init__("dots", style="cyan")
        self._name = name
        self._began = time.monotonic()
        self._pace = Pace()
        self._report = ""

    def report(self, event: ToolProgress) -> None:
        self._report = progress_words(event, self._pace, time.monotonic())

    def render(self, time: float) -> RenderableType:
        text = Text(f"{self._name} ({_seconds_since(self._began)} s)", style="cyan", no_wrap=True, overflow="ellipsis")
        self.text = text.append(f" {self._report}", style="dim") if self._report else text
        return super().render(time)


def _seconds_since(began: float) -> str:
    return f"{time.monotonic() - began:.1f}"


def _markdown(text: str) -> Markdown:
    return Markdown(clean(text), hyperlinks=False, code_theme="ansi_dark")
