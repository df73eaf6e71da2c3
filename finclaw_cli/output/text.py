"""Plain text for pipes and files: the answer alone."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.core import exits
from finclaw_cli.core.events.agent import AgentDelta, AgentFailover, AgentResult, AgentRetry, Emitted
from finclaw_cli.core.json_text import well_formed
from finclaw_cli.output.stream import OutputStream


class FinalTextSink:
    """Writes the answer when it is complete, so that a file never contains void text."""

    takes_deltas = False

    def __init__(self, stream: OutputStream) -> None:
        self._stream = stream

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        # With a schema, stdout gets a valid answer or nothing.
        if isinstance(event, AgentResult) and event.text and event.exit_code != exits.INVALID_ANSWER:
            await self._stream.write(_line(event.text))


class StreamingTextSink:
    """Writes text as it comes, through `render`; text of a failed attempt is marked as void."""

    def __init__(self, stream: OutputStream, render: Callable[[str], str]) -> None:
        self._stream = stream
        self._render = render
        self._turn = 0
        self._last = "\n"
        self._has_text = False

    async def take(self, emitted: Emitted) -> None:
        match emitted.event:
            case AgentDelta() as event:
                await self._say(event)
            case AgentRetry() | AgentFailover() if self._has_text:
                await self._fresh_line()
                await self._stream.write("— void: the attempt failed —\n".encode())
                self._has_text = False
            case AgentResult():
                await self._fresh_line()
                await self._stream.drained()
                self._turn, self._has_text = 0, False
            case _:
                await self._stream.drained()  # so that messages on stderr come after it

    async def _say(self, event: AgentDelta) -> None:
        if event.turn != self._turn:
            await self._fresh_line()
            self._turn = event.turn
        self._has_text = True
        self._last = event.text[-1:]
        if not self._stream.put(self._render(event.text).encode("utf-8", "replace")):
            await self._stream.drained()

    async def _fresh_line(self) -> None:
        if self._last != "\n":
            self._last = "\n"
            await self._stream.write(b"\n")


def _line(text: str) -> bytes:
    return well_formed(text if text.endswith("\n") else text + "\n").encode()
