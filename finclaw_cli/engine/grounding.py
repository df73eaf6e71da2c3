"""Whether the numbers of an answer come from tools: `--verify-numbers`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, assert_never

from finclaw_cli.core.errors import UngroundedNumbers
from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.events.numbers import AgentNumberCheck, NumberCounts
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import Emit

VerifyNumbers = Literal["off", "warn", "fail"]
NumberSourcesOf = Literal["model", "rules"]
Ask = Callable[[str], Awaitable[str]]
"""Has a model answer a question; returns nothing where it does not."""
_NAMED = 5


class Grounding:
    """Keeps the results of tools, also those that a compaction removes, and checks an answer against them."""

    def __init__(self, mode: VerifyNumbers, emit: Emit) -> None:
        self._mode = mode
        self._emit = emit
        self._messages: list[Message] = []
        self.counts: NumberCounts | None = None
        self.ask: Ask | None = None
        """Has a model answer the question for the sources that rules do not find; None for rules alone."""

    def add_messages(self, messages: Sequence[Message]) -> None:
        """Add messages of the conversation."""
        if self._mode != "off":
            self._messages += messages

    async def check(self, answer: str) -> None:
        """Report where each number of the answer comes from.

        Raises:
            UngroundedNumbers: some have no source, and that is not allowed.
        """
        mode = self._mode
        if mode == "off":
            return
        from finclaw_cli.numbers.check import check_after

        check = check_after(self._messages, answer)
        reply = await self.ask(check.question()) if self.ask is not None and check.unproved else ""
        checked = check.with_reply(reply)
        for one in checked:
            await self._emit(
                AgentNumberCheck(
                    text=one.figure.text, start=one.figure.start, value=one.figure.value, kind=one.figure.kind.value,
                    status=one.status, call_id=one.call_id, tool=one.tool, paths=one.paths, how=one.how,
                    expression=one.expression,
                )
            )  # fmt: skip
        counts = Counter(one.status for one in checked)
        self.counts = NumberCounts(
            found=counts["found"], derived=counts["derived"], given=counts["given"], ungrounded=counts["ungrounded"]
        )
        await self._judge(mode, [one.figure.text for one in checked if one.status == "ungrounded"])

    async def _judge(self, mode: Literal["warn", "fail"], ungrounded: Sequence[str]) -> None:
        if not ungrounded:
            return
        distinct = list(dict.fromkeys(ungrounded))
        more = f", and {len(distinct) - _NAMED} more" if len(distinct) > _NAMED else ""
        message = f"no tool has given these numbers of the answer: {'; '.join(distinct[:_NAMED])}{more}"
        match mode:
            case "fail":
                raise UngroundedNumbers(message, hint="Ask for their source, or use --verify-numbers warn.")
            case "warn":
                await self._emit(AgentWarning(code="ungrounded_numbers", message=message))
            case _:
                assert_never(mode)
