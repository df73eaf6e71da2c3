"""What both dialects need for a call: an id that is its own, and arguments that may be sent back."""

from __future__ import annotations

import secrets

from finclaw_cli.core.json_text import InvalidJson, parse_object, well_formed
from finclaw_cli.core.messages import ToolResultBlock


class CallIds:
    """Hands out the ids of one turn: the server's own where it is new, otherwise one of ours."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, wanted: str) -> str:
        """A unique id, as near to the wanted one as can be."""
        identifier, number = wanted or f"call_{secrets.token_hex(12)}", 2
        while identifier in self._taken:
            identifier, number = f"{wanted}_{number}", number + 1
        self._taken.add(identifier)
        return identifier


def is_whole(arguments: str) -> bool:
    """Is this one strict JSON object? Nothing at all is a call without arguments."""
    try:
        # The two halves of a code point may have come in two deltas.
        parse_object(well_formed(arguments))
    except InvalidJson:
        return False
    return True


def echoed(arguments: str) -> str:
    """A call's arguments as they go back: the model's own words; `{}` for garbage, since servers parse them again."""
    return well_formed(arguments) if arguments.strip() and is_whole(arguments) else "{}"


def result_text(block: ToolResultBlock) -> str:
    """A result as text: neither wire has a field that says "this is an error"."""
    if not block.is_error or block.content.lower().startswith("error"):
        return block.content
    return f"Error: {block.content}"
