"""Making single texts and results shorter."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace

from finclaw_cli.core.messages import ContentBlock, Message, ToolResultBlock
from finclaw_cli.engine.context.estimate import estimated_tokens

TRUNCATED = "[Result truncated for context management]"
CUT = " …"
LEAST_SENSIBLE = 12
"""Tokens; fewer are a heading, or nothing."""
# Where a line or a sentence ends, but not behind the number of a list's item.
_END = r"(?<=\S)(?=\n)|[.!?][\"'”’)\]]*(?<!\n\d\.)(?<!\n\d\d\.)(?=\s|\Z)|[。！？]"


def shortened(text: str, fits: Callable[[str], bool], begin: int = 0) -> str | None:
    """As many whole lines and sentences as fit, and a mark that there were more; None where that would be empty.

    Never a part of a sentence: half a figure is a wrong figure.

    Args:
        text: what is too long.
        fits: whether a text does; a shorter one does where a longer one did.
        begin: how many characters at the beginning are no part of the text.
    """
    ends = [found.end() for found in re.compile(_END).finditer(text, begin)]
    fitting = bisect_left(ends, x=True, key=lambda end: not fits(text[:end] + CUT))
    kept = text[: ends[fitting - 1]] if fitting else ""
    return kept + CUT if estimated_tokens(kept[begin:]) >= LEAST_SENSIBLE else None


def without_results(message: Message) -> Message:
    """The message with a word in place of each result that is longer than it."""
    if message.role != "tool" or isinstance(message.content, str):
        return message
    blocks = tuple(map(_without_result, message.content))
    return message if blocks == message.content else replace(message, content=blocks)


def without_result(message: Message, number: int) -> Message:
    """The message with a word in place of one result, by its place in the content; itself where that is no shorter."""
    blocks = [] if isinstance(message.content, str) else list(message.content)
    shorter = _without_result(blocks[number])
    if shorter is blocks[number]:
        return message
    blocks[number] = shorter
    return replace(message, content=tuple(blocks))


def _without_result(block: ContentBlock) -> ContentBlock:
    """Longer on the page and in tokens: a long word has few of those."""
    if not isinstance(block, ToolResultBlock) or len(block.content) <= len(TRUNCATED):
        return block
    is_smaller = estimated_tokens(TRUNCATED) < estimated_tokens(block.content)
    return replace(block, content=TRUNCATED) if is_smaller else block
