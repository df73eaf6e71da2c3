"""`write`: a whole file, created or replaced."""

from __future__ import annotations

from finclaw_cli.sdk import PlainText, ToolContext, ToolError, tool
from finclaw_cli.sdk.files import MAX_BYTES, Existing, Refused, Target, check_current, existing, locked, replace, shown
from finclaw_workspace.calls import workspace
from finclaw_workspace.diffs import unified
from finclaw_workspace.text import decoded


def preview_write(path: str, content: str, ctx: ToolContext) -> str:
    """What `write` would change."""
    data = _encoded(content)
    with workspace(ctx, to_write=True) as root, root.writing(path, make=False) as target:
        before = existing(target, to_write=False)
        verb = "creates" if before is None else "replaces"
        return f"{verb} {shown(target.parts)} ({len(data):,} bytes)\n{_difference(before, content, target)}"


@tool(group="system", requires_approval=True, idempotent=True, timeout=10, preview=preview_write)
def write(path: str, content: str, ctx: ToolContext) -> PlainText:
    """Create a text file in the workspace, or replace all of it. Missing folders are made.

    Args:
        path: the file, relative to the workspace.
        content: the whole new text.
        ctx: given by finclaw.
    """
    data = _encoded(content)
    with workspace(ctx, to_write=True) as root, root.writing(path, make=True) as target:
        with locked(target, ctx.cancelled.is_set):
            before = existing(target, to_write=True)
            replace(target, data, before, lambda: check_current(ctx, root, target))
        verb = "created" if before is None else "replaced"
        summary = f"{verb} {shown(target.parts)} ({len(data):,} bytes)"
        # Of a new file the model knows every line; of a replaced one it may not know what was there.
        return PlainText(summary if before is None else f"{summary}\n{_difference(before, content, target)}")


def _encoded(content: str) -> bytes:
    try:
        data = content.encode()
    except UnicodeEncodeError as error:
        raise ToolError("BAD_INPUT: the content has half of a surrogate pair. Write whole characters.") from error
    if len(data) > MAX_BYTES:
        raise ToolError(f"TOO_LARGE: the content has {len(data):,} bytes, more than {MAX_BYTES:,}. Write less.")
    return data


def _difference(before: Existing | None, content: str, target: Target) -> str:
    name = shown(target.parts)
    if before is None:
        return unified("", content, name)
    try:
        old = decoded(before.data, name).text.removeprefix("\ufeff")
    except Refused:
        return f"(it was no text: {len(before.data):,} bytes)"
    return unified(old, content, name)
