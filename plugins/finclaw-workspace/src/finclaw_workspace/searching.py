"""`grep`: the lines that match a regular expression, searched for by a process that can be ended."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from finclaw_cli.sdk import PlainText, ToolContext, ToolError, run_process, tool
from finclaw_cli.sdk.files import refusals_as_errors, shown
from finclaw_workspace.calls import checked, workspace
from finclaw_workspace.patterns import PathPattern

_MAX_LIMIT = 1000
_MAX_PATTERN = 1000
_SEARCH_S = 45.0
_START = "import sys; sys.path.insert(0, sys.argv[1]); from finclaw_workspace.worker import main; main()"


# Async, so that ending the call ends the process: a regular expression may run for ever, and a thread cannot be ended.
@tool(group="system", read_only=True, idempotent=True, timeout=60)
async def grep(  # noqa: PLR0917 - a tool's parameters
    pattern: str,
    ctx: ToolContext,
    path: str = ".",
    glob: str | None = None,
    ignore_case: bool = False,  # noqa: FBT001, FBT002 - a tool's parameter
    limit: int = 100,
) -> PlainText:
    """Search the text files of the workspace, line by line. Leaves out .git, node_modules, .venv and binary files.

    Args:
        pattern: a regular expression, as Python writes them.
        ctx: given by finclaw.
        path: the file or folder to search.
        glob: only files that match, as in "*.py" or "src/**/*.ts".
        ignore_case: take upper and lower case as the same.
        limit: how many lines at most, up to 1000.
    """
    checked("limit", limit, 1, _MAX_LIMIT)
    if not pattern or len(pattern) > _MAX_PATTERN:
        raise ToolError(f"BAD_INPUT: the pattern is empty or longer than {_MAX_PATTERN} characters. Shorten it.")
    with refusals_as_errors():
        PathPattern(glob or "*")
    with workspace(ctx):  # fails early where there is none, or where the settings are wrong
        pass
    asked = _asked(ctx, pattern=pattern, path=path, glob=glob, ignore_case=ignore_case, limit=limit)
    return PlainText(_text(await _searched(asked), path))


def _asked(ctx: ToolContext, **asked: object) -> dict[str, object]:
    return {**asked, "workspace": str(ctx.workspace), "hidden": str(ctx.home), "seconds": _SEARCH_S}


async def _searched(asked: dict[str, object]) -> dict[str, object]:
    """Ask the worker: an interpreter of its own, with no environment and nothing but the search."""
    source = str(Path(__file__).parent.parent)
    ended = await run_process(
        (sys.executable, "-I", "-X", "utf8", "-c", _START, source),
        cwd=Path(os.sep),
        env={},
        stdin=json.dumps(asked).encode(),
        max_output_bytes=2_000_000,
    )
    try:
        answer = json.loads(ended.stdout)
    except ValueError as error:
        reason = ended.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [f"exit code {ended.code}"]
        raise ToolError(f"FAILED: the search broke off: {reason[0]}. Simplify the pattern or narrow path.") from error
    if not isinstance(answer, dict):
        raise ToolError("FAILED: the search gave no answer. Simplify the pattern or narrow path.")
    if "refused" in answer:
        raise ToolError(str(answer["refused"]))
    return answer


def _text(answer: dict[str, object], path: str) -> str:
    found = answer["found"]
    lines = [str(line) for line in found] if isinstance(found, list) else []
    notes = answer["notes"]
    lines += [f"[{note}]" for note in notes] if isinstance(notes, list) else []
    return "\n".join(lines) or f"[nothing matches in {shown(path)}]"
