"""Runs of the engine whose conversation does not fit the window: a model that answers and one that sums up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from finclaw_cli.catalog.windows import Window
from finclaw_cli.core.chunks import Done, StreamChunk, TextDelta, UsageReport
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.events.agent import AgentWarning, Event
from finclaw_cli.core.events.context import ContextCompact, ContextCompactFallback
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.context.summary import RULES
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.request import ContextPolicy, ModelRef, RunRequest, RunResult
from finclaw_cli.engine.retry import RetryPolicy
from finclaw_cli.engine.run import Run
from finclaw_cli.engine.windows import NoWindows
from tests.unit.clocks import FakeClock
from tests.unit.plain_runs import REF, REQUEST, Sink, toolbox

Kind = TypeVar("Kind", bound=Event)
WRITER = ModelRef(provider="scripted", model="writer")
SMALL = 8_000
"""A window of which a request may have 4,000 tokens."""
SUMMARIZE = ContextPolicy(strategy="summarize")
HANGS = "hangs"
"""In place of a text: the model never answers."""


def talk(exchanges: int = 12, words: int = 290, question: str = "And now?") -> tuple[Message, ...]:
    """A conversation whose answers have so many tokens each, and its last question."""
    asked = [
        (Message("user", f"Question {number}?"), Message("assistant", f"Answer {number}. " + "share " * words))
        for number in range(exchanges)
    ]
    return (*(message for exchange in asked for message in exchange), Message("user", question))


class Answers:
    """A provider that gives the texts and errors of two lists: one for questions, one for summaries."""

    name = "scripted"

    def __init__(self, answers: Iterable[str | ProviderError], summaries: Iterable[str | ProviderError]) -> None:
        self._texts = {False: iter(answers), True: iter(summaries)}
        self.requests: list[ModelRequest] = []
        self.asked = asyncio.Event()
        """Set once a model hangs."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        self.requests.append(request)
        text = next(self._texts[request.system == RULES], ProviderError("no text is left", reason="bad_request"))
        if isinstance(text, ProviderError):
            raise text
        if text == HANGS:
            self.asked.set()
            await asyncio.Event().wait()
        yield TextDelta(text)
        yield UsageReport(input=100, output=10)
        yield Done(stop_reason="max_tokens" if text.endswith("…") else "end_turn")

    async def aclose(self) -> None:
        """Nothing is open."""

    @property
    def for_summaries(self) -> list[ModelRequest]:
        return [request for request in self.requests if request.system == RULES]


class Known(NoWindows):
    """Windows by model; all others are assumed."""

    def __init__(self, tokens: Mapping[ModelRef, int]) -> None:
        self._tokens = tokens

    def known(self, ref: ModelRef) -> Window | None:
        return Window(self._tokens[ref], "settings") if ref in self._tokens else None


@dataclass
class Windowed:
    """A run whose models have these windows."""

    answers: Iterable[str | ProviderError] = ("Well.",)
    summaries: Iterable[str | ProviderError] = ("In short: shares.",)
    windows: Mapping[ModelRef, int] = field(default_factory=lambda: {REF: SMALL})
    context: ContextPolicy = SUMMARIZE
    clock: FakeClock = field(default_factory=FakeClock)

    def __post_init__(self) -> None:
        self.sink = Sink()
        self.provider = Answers(self.answers, self.summaries)

    def run(self, messages: tuple[Message, ...] = talk(), **changed: Any) -> Run:
        engine = Engine(
            connect=lambda ref: Connection(ref=ref, provider=self.provider, gate=Gate(self.clock)),
            clock=self.clock,
            windows=Known(self.windows),
            retry=RetryPolicy(attempts=2),
        )
        request: RunRequest = replace(REQUEST, messages=messages, context=self.context, **changed)
        return Run(engine, request, toolbox=toolbox, sinks=[self.sink], scope=CancelScope())

    async def result(self, messages: tuple[Message, ...] = talk(), **changed: Any) -> RunResult:
        return await self.run(messages, **changed)()

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.sink.events if isinstance(event, kind)]

    @property
    def compactions(self) -> list[ContextCompact]:
        return self.of(ContextCompact)

    @property
    def fallbacks(self) -> list[str]:
        return [event.reason for event in self.of(ContextCompactFallback)]

    @property
    def warnings(self) -> Iterator[str]:
        return (event.code for event in self.of(AgentWarning))
