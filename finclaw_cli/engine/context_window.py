"""Keeps the conversation of one run inside the context window of its model.

Before each request it is measured, and made smaller where that is needed; after each answer the provider's own count
is taken up. A provider that finds a request too large knows its window better than we do: from then on it counts as
smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from finclaw_cli.catalog.windows import Window
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.events.context import (
    ContextCompact,
    ContextThreshold,
    ContextWindowStatus,
    WindowState,
)
from finclaw_cli.core.events.parts import Compactions
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import Emit, whole_prompt
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.engine.assemble import Assembled
from finclaw_cli.engine.compactor import Compactor
from finclaw_cli.engine.context.count import Counted, TokenCounter
from finclaw_cli.engine.context.summaries import Compression
from finclaw_cli.engine.context.window import Crossing, Fill, Thresholds, blames_the_answer, said_window
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.model_requests import ModelRequestRunner
from finclaw_cli.engine.request import ModelRef, RunRequest
from finclaw_cli.engine.run_state import RunState
from finclaw_cli.engine.spending import Expected
from finclaw_cli.engine.summarize import Summarizer

# A request this small fits every window in use: its size is not looked up before the request.
SMALL_TOKENS = 12_000
# How full a window may be once there is room again, and how full one that was found to be smaller than we thought.
WANTED, WANTED_AFTER_REFUSAL = 0.6, 0.5
LEAST_ANSWER_TOKENS = 16
# For an answer that has to do with little.
ENOUGH_TOKENS = 1_024


class ContextWindow:
    """The window of one run."""

    def __init__(
        self,
        engine: Engine,
        request: RunRequest,
        record: RunState,
        *,
        emit: Emit,
        exchange: ModelRequestRunner,
    ) -> None:
        self._engine = engine
        self._context = request.context
        self._record = record
        self._emit = emit
        self._exchange = exchange
        self._request = request
        self.counted = request.counted
        """What the provider has counted last."""
        self._compression = Compression()
        self.offer(request.tools)
        self._counted_by: ModelRef | None = None
        """The model whose provider has counted the conversation in this run."""
        self._thresholds = Thresholds()
        self._emitted: tuple[ModelRef, WindowState] | None = None
        self._known: dict[ModelRef, Window] = {}
        self._summarizers: dict[ModelRef, Summarizer] = {}
        self._short_answers: set[ModelRef] = set()

    def offer(self, tools: tuple[ToolSpec, ...]) -> None:
        """These tools are offered from now on, and count as part of each request."""
        request = self._request
        self.tools = tools
        self._counter = TokenCounter(whole_prompt(request.system, request.state), tools, request.schema)
        if self.counted is not None:
            self._counter.reported(self.counted)
        self._compact = Compactor(request, self._record, self._counter, self._compression, self._emit)

    async def messages(self, turn: int, ref: ModelRef) -> tuple[Message, ...]:
        """What is to be sent to this model: the conversation, made smaller where it would not fit."""
        fill = await self._filled(ref)
        if fill is not None:
            await self._emit_fill(turn, ref, fill)
            if fill.needs_room and (fill.state == "exceeded" or self._compact.keep_recent(fill) is not None):
                await self._make_room(turn, ref, fill, WANTED)
        return self._record.messages

    def left(self, ref: ModelRef, *more: Message) -> int | None:
        """How many tokens the window has left for the answer, after these messages too; None where not measured."""
        window, messages = self._known.get(ref), (*self._record.messages, *more)
        if window is None:
            return None
        surely = window.tokens - self._counter.at_most(messages)
        perhaps = min(window.tokens - self._counter.occupied(messages), ENOUGH_TOKENS)
        left = max(surely, perhaps, LEAST_ANSWER_TOKENS)
        return min(left, ENOUGH_TOKENS) if ref in self._short_answers else left

    def expected(self, ref: ModelRef, *more: Message) -> Expected:
        """What a request to this model takes with the conversation as it is, and these messages."""
        counter, messages = self._counter, (*self._record.messages, *more)
        at_most = counter.most_billed(messages, is_same_prompt=ref == self._counted_by)
        return Expected.of(counter.occupied(messages), at_most, counter.factor)

    def _expected_alone(self, question: Sequence[Message]) -> Expected:
        counter = self._counter
        return Expected.of(counter.estimated(question), counter.most_billed_alone(question), counter.factor)

    async def answered(self, turn: int, ref: ModelRef, reply: Assembled) -> float:
        """Take up what the provider has counted of a turn that is now part of the conversation.

        How full the window is with it.
        """
        messages = self._record.messages
        if reply.usage is not None:
            asked = messages[:-1] if reply.is_kept else messages
            self.counted = Counted(asked=asked, reply=reply.message, usage=reply.usage)
            self._counter.reported(self.counted)
            self._counted_by = ref
        fill = Fill(self._counter.occupied(messages), (await self._window(ref)).tokens)
        await self._emit_fill(turn, ref, fill)
        return round(fill.ratio, 4)

    async def refused(self, turn: int, ref: ModelRef, error: ProviderError) -> bool:
        """A request did not fit, by the provider's error; True where it is smaller now."""
        occupied, window = self._counter.occupied(self._record.messages), await self._window(ref)
        self._known[ref] = replace(window, tokens=min(said_window(error.message) or occupied, window.tokens))
        fill = Fill(occupied, min(occupied, self._known[ref].tokens))
        made = await self._make_room(turn, ref, fill, WANTED_AFTER_REFUSAL)
        if blames_the_answer(error.message) and ref not in self._short_answers:
            self._short_answers.add(ref)
            return True
        return made

    async def _filled(self, ref: ModelRef) -> Fill | None:
        """How full the window is; None where so little fits every window."""
        occupied = self._counter.occupied(self._record.messages)
        known = self._known.get(ref) or self._engine.windows.known(ref)
        if known is None and occupied < SMALL_TOKENS:
            return None
        return Fill(occupied, (await self._window(ref)).tokens)

    async def _window(self, ref: ModelRef) -> Window:
        if ref not in self._known:
            window = self._known[ref] = self._engine.windows.known(ref) or self._engine.windows.of(ref)
            if window.is_assumed:
                message = (
                    f"the context window of {ref} is not known: {window.tokens:,} tokens are assumed; "
                    f"if it is another one, say so: finclaw models set {ref} --window TOKENS"
                )
                await self._emit(AgentWarning(code="unknown_window", message=message))
        return self._known[ref]

    async def _emit_fill(self, turn: int, ref: ModelRef, fill: Fill) -> None:
        await self._emit_state(turn, ref, fill)
        await self._emit_crossings(turn, ref, fill, self._thresholds.risen(fill.ratio))

    async def _emit_state(self, turn: int, ref: ModelRef, fill: Fill) -> None:
        if self._emitted == (ref, fill.state):
            return
        self._emitted = ref, fill.state
        await self._emit(
            ContextWindowStatus(
                turn=turn,
                model=str(ref),
                state=fill.state,
                occupied=fill.occupied,
                window=fill.window,
                source=self._known[ref].source,
                ratio=round(fill.ratio, 4),
            )
        )

    async def _emit_crossings(self, turn: int, ref: ModelRef, fill: Fill, crossed: Iterable[Crossing]) -> None:
        for threshold, direction in crossed:
            ratio = round(fill.ratio, 4)
            await self._emit(
                ContextThreshold(turn=turn, model=str(ref), threshold=threshold, direction=direction, ratio=ratio)
            )

    async def _make_room(self, turn: int, ref: ModelRef, fill: Fill, wanted: float) -> bool:
        began = self._engine.clock.monotonic()
        summarizer = await self._summarizer(self._context.summary_model or ref)
        spending = self._exchange.spending
        try:
            result = await self._compact(turn, fill, wanted, partial(summarizer, turn))
        except BaseException:  # the run was ended meanwhile: what was asked for is paid for
            self._book_in_vain(spending.take_summaries())
            raise
        spent = spending.take_summaries()
        if result.messages == self._record.messages:
            self._book_in_vain(spent)
            return False
        await self._exchange.log.compacted(result.messages)
        self._record.go_on_with(result.messages)
        after = Fill(self._counter.occupied(result.messages), fill.window)
        self._record.book(spent)
        await self._emit(
            ContextCompact(
                turn=turn,
                model=str(ref),
                strategy=self._context.strategy,
                steps=result.steps,
                removed=result.removed,
                before=fill.occupied,
                after=after.occupied,
                summary_model=str(summarizer.ref) if spent.summaries else None,
                summaries=spent.summaries,
                usage=spent.usage,
                cost_usd=spent.cost_usd,
                duration_ms=round((self._engine.clock.monotonic() - began) * 1000),
            )
        )
        await self._emit_state(turn, ref, after)
        await self._emit_crossings(turn, ref, after, self._thresholds.made_smaller(after.ratio))
        return True

    async def _summarizer(self, ref: ModelRef) -> Summarizer:
        engine = self._engine
        await self._window(ref)
        if ref not in self._summarizers:
            self._summarizers[ref] = Summarizer(
                engine.connect(ref),
                left=lambda question: self._known[ref].tokens - self._counter.at_most_alone(question),
                expected=self._expected_alone,
                exchange=self._exchange,
                clock=engine.clock,
                retry=engine.retry,
                within_s=self._context.summary_s,
            )
        return self._summarizers[ref]

    def _book_in_vain(self, spent: Compactions) -> None:
        if spent.summaries:
            self._record.book(replace(spent, count=0))
