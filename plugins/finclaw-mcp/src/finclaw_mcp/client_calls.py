"""The calls of clients while they are under way: each is a run, which may ask for an approval on its way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from finclaw_cli import Agent
from finclaw_cli.agent import Approval, ApprovalRequest, Conversation
from finclaw_cli.sdk import Event, ToolError
from finclaw_mcp.elicitation import BY
from finclaw_mcp.requested_call import RequestedCall

MOST_CALLS = 32
"""How many calls may be under way at once; those that wait for an approval do not count."""
MOST_QUESTIONS = 32
"""How many calls may wait for an approval at once: one more denies that of the call that has waited longest."""
CALLS_A_SESSION = 200
"""After how many calls a client gets a new session."""
Report = Callable[[str, float | None], Awaitable[None]]


@dataclass(frozen=True)
class Question:
    """An approval that a call waits for."""

    request: ApprovalRequest
    answer: asyncio.Future[Approval]

    def settle(self, approval: Approval) -> None:
        """Answer it, unless it has an answer or is no longer waited for."""
        if not self.answer.done():
            self.answer.set_result(approval)


@dataclass(frozen=True)
class Ended:
    """The end of a call."""

    text: str
    is_error: bool


class ClientCall:
    """One call of a client."""

    def __init__(self, call: RequestedCall, conversation: Conversation, prompt: str) -> None:
        self.call = call
        self.report: Report | None = None
        """Where progress goes; None while no request of the client waits."""
        self._conversation = conversation
        self._is_cancelled = False
        self._has_ended = False
        self._steps: asyncio.Queue[Question | Ended] = asyncio.Queue()
        self.task = asyncio.create_task(self._run(prompt))

    async def step(self) -> Question | Ended:
        """The next question of the call, or its end."""
        return await self._steps.get()

    async def ask(self, question: Question) -> Approval:
        """Have the client be asked for an approval."""
        self._steps.put_nowait(question)
        return await question.answer

    def cancel(self) -> None:
        """End the call, also while it waits for an approval."""
        self._is_cancelled = True
        self._conversation.interrupt()

    def end(self, end: Ended) -> None:
        """Give the end of the call to the request that waits for it."""
        self._steps.put_nowait(end)

    async def _run(self, prompt: str) -> Ended:
        end = Ended("the call was not made", is_error=True)
        try:
            async with aclosing(self._conversation.stream(prompt, events="all")) as events:
                async for event in events:
                    if self._is_cancelled:
                        self._conversation.interrupt()
                    end = await self._taken(event) or end
        except Exception as error:  # noqa: BLE001 - the client gets an end of its call, whatever has happened
            end = Ended(f"the call was not made: {error}", is_error=True)
        return end

    async def _taken(self, event: Event) -> Ended | None:
        """Take an event of the run; return the end of the call, as far as it is known then."""
        if event.type == "tool.progress" and self.report is not None:
            await self.report(event.message, event.fraction)
        elif event.type == "agent.tool_call" and event.result is not None:
            self._has_ended = True
            return Ended(event.result, is_error=event.is_error is True)
        elif event.type == "agent.result" and event.error is not None and not self._has_ended:
            return Ended(event.error.message, is_error=True)
        return None


class ClientCalls:
    """The calls of all clients, in sessions of each client.

    A session has one call at a time: calls of a client that overlap are in several sessions.
    """

    def __init__(self) -> None:
        self._free: dict[str, list[tuple[Conversation, int]]] = {}
        self._calls: dict[str, ClientCall] = {}
        self._questions: dict[str, Question] = {}
        """What calls wait for, by their ids, the oldest first."""
        self._ends: set[asyncio.Task[None]] = set()

    async def ask(self, request: ApprovalRequest) -> Approval:
        """The approver of the runs: the client that made the call is asked."""
        call = self._calls.get(request.call.id)
        if call is None:
            return request.denied(BY, "the call is not under way")
        if len(self._questions) >= MOST_QUESTIONS:
            oldest = self._questions.pop(next(iter(self._questions)))
            oldest.settle(oldest.request.denied(BY, f"{MOST_QUESTIONS} later calls wait for an approval"))
        question = self._questions[call.call.id] = Question(request, asyncio.get_running_loop().create_future())
        try:
            return await call.ask(question)
        finally:
            self._questions.pop(call.call.id, None)

    async def begin(self, agent: Agent, call: RequestedCall) -> ClientCall:
        """Begin a call.

        Raises:
            ToolError: too many are under way, or its arguments cannot be passed on.
        """
        prompt = call.prompt()
        if len(self._calls) - len(self._questions) >= MOST_CALLS:
            raise ToolError(f"{MOST_CALLS} calls are under way: call again when one has ended")
        free = self._free.setdefault(call.client, [])
        conversation, count = free.pop() if free else (await agent.conversation(), 0)
        begun = self._calls[call.id] = ClientCall(call, conversation, prompt)
        end = asyncio.create_task(self._ended(begun, conversation, count + 1))
        self._ends.add(end)
        end.add_done_callback(self._ends.discard)
        return begun

    async def aclose(self) -> None:
        """End all calls, then their sessions."""
        for call in self._calls.values():
            call.cancel()
        while self._ends:
            await asyncio.wait(self._ends)
        for conversation, _ in (each for free in self._free.values() for each in free):
            await conversation.aclose()
        self._free.clear()

    async def _ended(self, call: ClientCall, conversation: Conversation, count: int) -> None:
        end = await call.task
        del self._calls[call.call.id]
        if count < CALLS_A_SESSION:
            self._free[call.call.client].append((conversation, count))
        else:
            await conversation.aclose()
        call.end(end)
