"""How full the window is: what the provider counted last, and an estimate for what came since.

What fills the window (`occupied`) is the last request, not the sum over requests, which is what is billed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from finclaw_cli.core.json_text import JsonObject, canonical, dump_line
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
from finclaw_cli.engine.context.estimate import LIKELY_MORE, estimated_tokens, most_tokens

# What a wire puts around a message, a block and a tool, in tokens.
PER_MESSAGE, PER_BLOCK, PER_TOOL = 4, 6, 10
# A report that is further off is of something else than what was asked.
LEAST_FACTOR, MOST_FACTOR = 0.4, 2.5
# What may have come to the system prompt and the tools since a provider counted them.
UNSEEN = 512
# What a wire puts around a message, a block and a tool at most, and what providers add to a request of their own.
MOST_AROUND, MOST_ADDED = 32, 1_024


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

    def __init__(self, system: str = "", tools: Sequence[ToolSpec] = (), schema: JsonObject | None = None) -> None:
        self._most_of_prompt = most_tokens(system) + sum(map(_most_of_tool, tools)) + most_tokens(canonical(schema))
        self._system = estimated_tokens(system) + (PER_MESSAGE if system else 0)
        self._tools = tokens_of_tools(tools)
        self._factor = 1.0
        self._counted: tuple[Message, ...] = ()
        self._is_trusted = False
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
        self._is_trusted = sent >= LEAST_FACTOR * estimated
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

    def most_billed(self, messages: Sequence[Message], *, is_same_prompt: bool) -> int:
        """The tokens that a request with these messages can be billed for at most.

        What the provider has counted stands for the messages that were in it, where it counted them for the same model
        with the same system prompt and tools; the rest has at most a token for each byte.
        """
        everything = self._most_of_prompt + sum(map(most_tokens_of, messages))
        if is_same_prompt and self._is_trusted:
            counted = {id(message) for message in self._counted}
            new = sum(most_tokens_of(message) for message in messages if id(message) not in counted)
            everything = min(everything, self._reported + new)
        return everything + MOST_ADDED

    def most_billed_alone(self, messages: Sequence[Message]) -> int:
        """The same for a request of its own, without this one's system prompt and tools."""
        return sum(map(most_tokens_of, messages)) + MOST_ADDED

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


def tokens_of(message: Message) -> float:
    """The tokens of one message, about."""
    if isinstance(message.content, str):
        return PER_MESSAGE + estimated_tokens(message.content)
    return PER_MESSAGE + sum(map(_of_block, message.content))


def _of_block(block: ContentBlock) -> float:
    match block:
        case TextBlock(text) | ReasoningBlock(text):
            return estimated_tokens(text)
        case ToolUseBlock(_, name, arguments):
            return PER_BLOCK + estimated_tokens(name) + estimated_tokens(canonical(arguments))
        case ToolResultBlock(_, content):
            return PER_BLOCK + estimated_tokens(content)
        case _:
            assert_never(block)


def most_tokens_of(message: Message) -> int:
    """The tokens of one message at most, in our words or in the provider's own blocks."""
    if isinstance(message.content, str):
        return MOST_AROUND + most_tokens(message.content)
    ours = sum(map(_most_of_block, message.content))
    echoed = most_tokens(canonical(message.raw.blocks)) if message.raw is not None else 0
    return MOST_AROUND + max(ours, echoed)


def _most_of_block(block: ContentBlock) -> int:
    match block:
        case TextBlock(text):
            return most_tokens(text)
        case ReasoningBlock(text, signature):
            return most_tokens(text) + most_tokens(signature or "")
        case ToolUseBlock(call_id, name, arguments):
            return MOST_AROUND + most_tokens(call_id) + most_tokens(name) + most_tokens(canonical(arguments))
        case ToolResultBlock(call_id, content):
            return MOST_AROUND + most_tokens(call_id) + most_tokens(content)
        case _:
            assert_never(block)


def tokens_of_tools(tools: Sequence[ToolSpec]) -> float:
    """How many tokens the descriptions and schemas of tools are estimated to take in each request."""
    return sum(map(_of_tool, tools))


def _of_tool(tool: ToolSpec) -> float:
    return PER_TOOL + estimated_tokens(_text_of_tool(tool))


def _most_of_tool(tool: ToolSpec) -> int:
    return MOST_AROUND + most_tokens(_text_of_tool(tool))


def _text_of_tool(tool: ToolSpec) -> str:
    return f"{tool.name} {tool.description} {dump_line(tool.input_schema)}"


def _kind(message: Message) -> str:
    if message.role == "tool":
        return "results"
    return "summary" if message.is_summary else "conversation"
