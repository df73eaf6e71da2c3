"""`edit`: an exact replacement in a text file."""

from __future__ import annotations

from dataclasses import dataclass

from finclaw_cli.sdk import PlainText, ToolContext, tool
from finclaw_cli.sdk.files import Existing, Refused, Root, Target, check_current, existing, locked, replace, shown
from finclaw_workspace.calls import workspace
from finclaw_workspace.diffs import unified
from finclaw_workspace.text import decoded

_MAX_LINES_SHOWN = 10
_MAX_LINES_SEARCHED = 3000
_MAX_LINE_COMPARED = 200


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit would do to a file."""

    before: Existing
    data: bytes
    count: int
    diff: str

    def report(self, verb: str, target: Target) -> str:
        times = "" if self.count == 1 else f" in {self.count} places"
        return f"{verb} {shown(target.parts)}{times}\n{self.diff}"


def preview_edit(path: str, old: str, new: str, ctx: ToolContext, replace_all: bool = False) -> str:  # noqa: FBT001, FBT002 - a tool's parameters
    """What `edit` would change."""
    with workspace(ctx, to_write=True) as root, root.writing(path, make=False) as target:
        return _change(root, path, target, old, new, every=replace_all).report("edits", target)


@tool(group="system", requires_approval=True, timeout=10, preview=preview_edit)
def edit(path: str, old: str, new: str, ctx: ToolContext, replace_all: bool = False) -> PlainText:  # noqa: FBT001, FBT002
    """Replace an exact piece of text in a file of the workspace.

    Args:
        path: the file, relative to the workspace.
        old: the text to replace, exactly as in the file, without line numbers; with enough around it to be unique.
        new: the text to put there.
        ctx: given by finclaw.
        replace_all: replace every occurrence, not only a unique one.
    """
    with workspace(ctx, to_write=True) as root, root.writing(path, make=False) as target:
        with locked(target, ctx.cancelled.is_set):
            change = _change(root, path, target, old, new, every=replace_all)
            replace(target, change.data, change.before, lambda: check_current(ctx, root, target))
        return PlainText(change.report("edited", target))


def _change(root: Root, path: str, target: Target, old: str, new: str, *, every: bool) -> Change:
    before = existing(target, to_write=True)
    if before is None:
        with root.reading(path):  # the error names similar files
            raise Refused("CHANGED", f"{shown(target.parts)} appeared just now. Read it.")
    if not old or old == new:
        raise Refused("BAD_INPUT", "old is empty or the same as new. Give the text to replace, and another.")
    was = decoded(before.data, shown(target.parts))
    old, new = _with_line_ends_of(was.text, old, new)
    count = was.text.count(old)
    if count == 0:
        raise Refused("NO_MATCH", f"old does not occur in {shown(target.parts)}.{_near(was.text, old)}")
    if count > 1 and not every:
        raise Refused("NOT_UNIQUE", f"old occurs {count} times, at lines {_lines_of(was.text, old)}. "
                      "Take more of the text around it, or say replace_all.")  # fmt: skip
    text = was.text.replace(old, new)
    try:
        data = was.encode(text)
    except UnicodeEncodeError as error:
        raise Refused("BAD_INPUT", "new has half of a surrogate pair. Write whole characters.") from error
    return Change(before, data, count, unified(was.text, text, shown(target.parts)))


def _with_line_ends_of(text: str, old: str, new: str) -> tuple[str, str]:
    r"""Models write `\n`; where every line of the file ends in `\r\n`, that is what they mean."""
    if "\r\n" not in text or text.count("\r\n") != text.count("\n"):
        return old, new
    return tuple(part.replace("\r\n", "\n").replace("\n", "\r\n") for part in (old, new))  # type: ignore[return-value]


def _lines_of(text: str, old: str) -> str:
    lines: list[str] = []
    at, line, counted = text.find(old), 1, 0
    while at >= 0 and len(lines) <= _MAX_LINES_SHOWN:
        line += text.count("\n", counted, at)
        counted = at
        lines.append(str(line))
        at = text.find(old, at + len(old))
    return ", ".join(lines[:_MAX_LINES_SHOWN]) + (", …" if len(lines) > _MAX_LINES_SHOWN else "")


def _near(text: str, old: str) -> str:
    """Words that help to find what was meant: the lines most like the first line of what was looked for."""
    import difflib

    wanted = next((line.strip() for line in old.splitlines() if line.strip()), "")[:_MAX_LINE_COMPARED]
    if not wanted:
        return " It is only white space. Read the file again."
    lines = text.splitlines()
    stripped = [line.strip()[:_MAX_LINE_COMPARED] for line in lines[:_MAX_LINES_SEARCHED]]
    same = [number for number, line in enumerate(stripped) if wanted == line]
    alike = set(difflib.get_close_matches(wanted, stripped, n=3, cutoff=0.75)) if not same else set()
    found = same or [number for number, line in enumerate(stripped) if line in alike]
    if not found:
        return " Nothing in it looks alike. Read the file again."
    places = "\n".join(f"{number + 1}\t{lines[number][:_MAX_LINE_COMPARED]}" for number in found[:3])
    return f" Alike, perhaps but for white space or what follows:\n{places}\nCopy the text exactly."
