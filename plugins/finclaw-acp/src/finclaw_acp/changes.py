"""What a call changes in a file, for editors that show it beside the text of the file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from acp import helpers, schema

from finclaw_cli.sdk import finclaw_home
from finclaw_cli.sdk.files import Refused, Root, existing
from finclaw_cli.sdk.render import clean
from finclaw_cli.sdk.toolsets import ToolSpec

MOST_SHOWN = 1_000_000
"""Characters of a text."""


def change_of(
    spec: ToolSpec | None, given: Mapping[str, object], folder: Path
) -> schema.FileEditToolCallContent | None:
    """The change that a tool of files makes: of a piece of text, or of the whole file.

    Args:
        spec: the tool.
        given: the input of the call.
        folder: the working directory of the session, absolute.

    Returns:
        The change; None where the tool changes no text, or the file cannot be shown.
    """
    if spec is None or spec.read_only or spec.counted_group != "system":
        return None
    match given:
        case {"path": str(path), "old": str(old), "new": str(new)}:
            return _shown(folder / path, old, new)
        case {"path": str(path), "content": str(new)}:
            try:
                return _shown(folder / path, _text_of(folder, path), new)
            except (Refused, OSError, ValueError):
                return None
        case _:
            return None


def _shown(path: Path, old: str | None, new: str) -> schema.FileEditToolCallContent | None:
    if len(new) + len(old or "") > MOST_SHOWN:
        return None
    return helpers.tool_diff_content(str(path), clean(new), None if old is None else clean(old))


def _text_of(folder: Path, path: str) -> str | None:
    """The text of a file of the working directory; None where there is none.

    Raises:
        Refused: it is outside, or no regular file.
        OSError: it cannot be read.
        ValueError: it is no text.
    """
    with Root(folder, hidden=(finclaw_home(),)) as root, root.writing(path, make=False) as target:
        before = existing(target, to_write=False)
    return None if before is None else before.data.decode("utf-8-sig")
