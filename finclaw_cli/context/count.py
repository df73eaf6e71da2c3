"""How full the window is: what the provider counted last, and an estimate for what came since.

What fills the window (`occupied`) is the last request, not the sum over requests, which is what is billed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from finclaw_cli.context.estimate import LIKELY_MORE, estimated_tokens, most_tokens
from finclaw_cli.core.json_text import canonical, dump_line
from finclaw_cli.core.messages import (
    ContentBlock,
    Message,
    ReasoningBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.core.usage import Usage

# What a wire puts around a message, a block and a tool, in tokens.
PER_MESSAGE, PER_BLOCK, PER_TOOL = 4, 6, 10
# A report that is further off is of something else than what was asked.
LEAST_FACTOR, MOST_FACTOR = 0.4, 2.5
# What may have come to the system prompt and the tools since a provider counted them.
UNSEEN = 512


@record(kw_only=True)
class Breakdown:
    """What fills the window, by where it comes from; tokens."""

    system: int
    tools: int
    results: int
    conversation: int
    summary: int

    @property
    def total(self) -> int:
        return self.system + self.tools + self.results + self.conversation + self.summary


@record(kw_only=True)
class Counted:
    """A request that a provider has counted: what was asked, what was answered, and what that took."""

    asked: tuple[Message, ...]
    reply: Message
    usage: Usage


class TokenCounter:
    """Counts the requests of one conversation: the system prompt and the tools stay, the messages grow."""

    def __init__(self, system: str = "", tools: Sequence[ToolSpec] = ()) -> None:
        self._system = estimated_tokens(system) + (PER_MESSAGE if system else 0)
        self._tools = tokens_of_tools(tools)
        self._factor = 1.0
        self._counted: tuple[Message, ...] = ()
        self._reported = 0

    @property
    def factor(self) -> float:
        """How many tokens the provider counts for one that is estimated."""
        return self._factor

    @property
    def overhead(self) -> int:
        """What a request takes beside its messages."""
        return round((self._system + self._tools) * self._factor)

    def reported(self, counted: Counted) -> None:
        """The provider has counted a request."""
        usage, asked, reply = counted.usage, counted.asked, counted.reply
        sent = usage.input + usage.cache_read + usage.cache_write
        estimated = self._system + self._tools + sum(map(tokens_of, asked))
        if sent <= 0 or estimated <= 0:
            return
        self._factor = min(max(sent / estimated, LEAST_FACTOR), MOST_FACTOR)
        self._counted = (*asked, reply) if reply.content else asked
        self._reported = sent + usage.output

    def occupied(self, messages: Sequence[Message]) -> int:
        """The tokens of a request with these messages: reported as far as they were counted, else estimated."""
        reported, new = self._split(messages)
        return reported + self.estimated(new) if reported else self.overhead + self.estimated(new)

    def at_most(self, messages: Sequence[Message]) -> int:
        """The same, where too few would be an error: what is estimated may be that much more."""
        reported, new = self._split(messages)
        unsure = self.estimated(new) if reported else self.overhead + self.estimated(new)
        return reported + UNSEEN + round(unsure * LIKELY_MORE)

    def at_most_alone(self, messages: Sequence[Message]) -> int:
        """The same for a request of its own, without this one's system prompt and tools."""
        return UNSEEN + round(self.estimated(messages) * LIKELY_MORE)

    def billed_at_most(self, messages: Sequence[Message]) -> int:
        """How many tokens a request with these messages can be billed for: what may be made of anything, as that."""
        reported, new = self._split(messages)
        unsure = sum(tokens_of(message, most_tokens) for message in new) * self._factor
        return reported + UNSEEN + round(unsure if reported else self.overhead * LIKELY_MORE + unsure)

    def billed_at_most_alone(self, messages: Sequence[Message]) -> int:
        """The same for a request of its own, without this one's system prompt and tools."""
        return UNSEEN + round(sum(tokens_of(message, most_tokens) for message in messages) * self._factor)

    def _split(self, messages: Sequence[Message]) -> tuple[int, Sequence[Message]]:
        """What was reported of a request with these messages, and those that came since."""
        count = len(self._counted)
        if count and tuple(messages[:count]) == self._counted:
            return self._reported, messages[count:]
        return 0, messages

    def estimated(self, messages: Sequence[Message]) -> int:
        """The tokens of these messages alone, as this provider would count them."""
        return round(sum(map(tokens_of, messages)) * self._factor)

    def breakdown(self, messages: Sequence[Message]) -> Breakdown:
        """What fills the window with these messages: shares by the estimate, their sum as `occupied`."""
        shares = {"system": self._system, "tools": self._tools, "results": 0.0, "conversation": 0.0, "summary": 0.0}
        for message in messages:
            shares[_kind(message)] += tokens_of(message)
        occupied, estimated = self.occupied(messages), sum(shares.values()) or 1.0
        parts = {name: round(tokens * occupied / estimated) for name, tokens in shares.items()}
        parts["conversation"] += occupied - sum(parts.values())
        return Breakdown(**parts)


def tokens_of(message: Message, count: Callable[[str], float] = estimated_tokens) -> float:
    """The tokens of one message, about."""
    if isinstance(message.content, str):
        return PER_MESSAGE + count(message.content)
    return PER_MESSAGE + sum(_of_block(block, count) for block in message.content)


def _of_block(block: ContentBlock, count: Callable[[str], float]) -> float:
    match block:
        case TextBlock(text) | ReasoningBlock(text):
            return count(text)
        case ToolUseBlock(_, name, arguments):
            return PER_BLOCK + count(name) + count(canonical(arguments))
        case ToolResultBlock(_, content):
            return PER_BLOCK + count(content)
        case _:
            assert_never(block)


def tokens_of_tools(tools: Sequence[ToolSpec]) -> float:
    """How many tokens the descriptions and schemas of tools are estimated to take in each request."""
    return sum(map(_of_tool, tools))


def _of_tool(tool: ToolSpec) -> float:
    text = f"{tool.name} {tool.description} {dump_line(tool.input_schema)}"
    return PER_TOOL + estimated_tokens(text)


def _kind(message: Message) -> str:
    if message.role == "tool":
        return "results"
    return "summary" if message.is_summary else "conversation"
