"""The question of a run, from the blocks that an editor sends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from acp import schema

from finclaw_acp.stops import invalid

FENCE = "````"


def text_of(blocks: Sequence[Any]) -> str:
    """The words of a prompt, with the texts of the resources that it embeds.

    Raises:
        RequestError: it has a block of another kind, or no text.
    """
    text = "\n\n".join(map(_text, blocks)).strip()
    if not text:
        raise invalid("the prompt has no text")
    return text


def _text(block: Any) -> str:
    match block:
        case schema.TextContentBlock():
            return block.text
        case schema.ResourceContentBlock():
            return f"[{block.name}]({block.uri})"
        case schema.EmbeddedResourceContentBlock(resource=schema.TextResourceContents() as resource):
            return f"{resource.uri}\n{FENCE}\n{resource.text}\n{FENCE}"
        case _:
            raise invalid(f"finclaw takes no content of the kind {block.type}; send text, or a file with text")
