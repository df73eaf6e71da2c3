"""Whether the numbers of an answer come from tools: `--verify-numbers`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, assert_never

from finclaw_cli.core.errors import UngroundedNumbers
from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.events.numbers import AgentNumberCheck, NumberCounts
from finclaw_cli.core.messages import Message, ToolResultBlock
from finclaw_cli.core.ports import Emit

VerifyNumbers = Literal["off", "warn", "fail"]
_NAMED = 5


class Grounding:
    """Keeps the results of tools, also those that a compaction removes, and checks an answer against them."""

    def __init__(self, mode: VerifyNumbers, emit: Emit) -> None:
        self._mode = mode
        self._emit = emit
        self._messages: list[Message] = []
        self.counts: NumberCounts | None = None

    def add_messages(self, messages: Sequence[Message]) -> None:
        """Add messages of the conversation."""
        if self._mode != "off":
            self._messages += messages

    async def check(self, answer: str) -> None:
        """Tell where each number of the answer comes from.

        Raises:
            UngroundedNumbers: some come from nowhere, and that is not allowed.
        """
        mode = self._mode
        if mode == "off":
            return
        from finclaw_cli.numbers.check import ToolAnswer, check_answer

        names = {call.id: call.name for message in self._messages for call in message.tool_calls}
        results = [
            ToolAnswer(call_id=block.tool_use_id, tool=names.get(block.tool_use_id, ""), text=block.content)
            for message in self._messages
            if not isinstance(message.content, str)
            for block in message.content
            if isinstance(block, ToolResultBlock) and not block.is_error
        ]
        asked = [message.text for message in self._messages if message.is_question]
        checked = check_answer(answer, asked, results)
        for one in checked:
            await self._emit(
                AgentNumberCheck(
                    text=one.figure.text, start=one.figure.start, value=one.figure.value, kind=one.figure.kind.value,
                    status=one.status, call_id=one.call_id, tool=one.tool, paths=one.paths, how=one.how,
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
