"""Tools that a plugin has stored for its toolsets, so that they are listed and offered without importing it.

What there is of a server's tools is known from the server alone. A command of the plugin asks it once, and stores the
declarations in `toolsets/DIST/NAME.json` in the data folder. Those of plugins that are not trusted are not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from finclaw_cli.core.checked import checked
from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.files import private_folder, read_regular, replace_file
from finclaw_cli.core.tool import ToolSpec, declaration
from finclaw_cli.plugin_host.tool_names import TOOL_NAME, check_declaration

FOLDER = "toolsets"
MAX_BYTES = 16 * 1024 * 1024
FORMAT = 1
_DAMAGES = (OSError, ValueError, KeyError, TypeError, RecursionError)


def keep_tools(home: Path, dist: str, toolset: str, tools: Sequence[ToolSpec]) -> None:
    """Store the declarations of a toolset's tools, in place of those stored before.

    Raises:
        UsageError: the toolset's name is none, or a tool cannot be one.
        OSError: they cannot be written.
    """
    path = _path(home, dist, toolset)
    for place, tool in enumerate(tools):
        check_declaration(tool, tools[:place])
    content = json.dumps({"format": FORMAT, "tools": [asdict(declaration(tool)) for tool in tools]})
    private_folder(path.parent)
    replace_file(path, content.encode())


def forget_tools(home: Path, dist: str, toolset: str) -> bool:
    """Remove what is stored of a toolset; return whether there was anything.

    Raises:
        UsageError: the toolset's name is none.
        OSError: it cannot be removed.
    """
    path = _path(home, dist, toolset)
    was_there = path.exists()
    path.unlink(missing_ok=True)
    return was_there


def tools_of_toolset(home: Path, dist: str, toolset: str) -> list[ToolSpec]:
    """The stored tools of one toolset; empty where none are stored.

    Raises:
        UsageError: they cannot be used.
    """
    path = _path(home, dist, toolset)
    try:
        return _read(path)
    except FileNotFoundError:
        return []
    except _DAMAGES as error:
        raise UsageError(f"the stored tools of {toolset} cannot be used: {error}") from error


def kept_tools(home: Path, dist: str, others: Iterable[ToolSpec]) -> tuple[list[ToolSpec], list[str]]:
    """The stored tools of all toolsets of a plugin, and a line for each that cannot be used.

    Args:
        home: the data folder.
        dist: the distribution of the plugin.
        others: the tools that the plugin has besides.
    """
    found: list[ToolSpec] = []
    problems: list[str] = []
    taken = list(others)
    for path in _files(home / FOLDER / dist_name(dist)):
        try:
            for tool in _read(path):
                check_declaration(tool, taken)
                taken.append(tool)
                found.append(replace(tool, toolset=path.stem))
        except (UsageError, *_DAMAGES) as error:
            reason = error.message if isinstance(error, UsageError) else str(error)
            problems.append(f"the stored tools of {path.stem} cannot be used: {reason}")
    return found, problems


def _files(folder: Path) -> Iterator[Path]:
    try:
        found = sorted(folder.iterdir())
    except OSError:  # most plugins store none
        return
    yield from (path for path in found if path.suffix == ".json" and TOOL_NAME.fullmatch(path.stem))


def _read(path: Path) -> list[ToolSpec]:
    stored = json.loads(read_regular(path, MAX_BYTES))
    if stored["format"] != FORMAT:
        raise ValueError("another version of finclaw has written them")
    return [checked(ToolSpec, each) for each in stored["tools"]]


def _path(home: Path, dist: str, toolset: str) -> Path:
    if not TOOL_NAME.fullmatch(toolset):
        raise UsageError(f"toolset {toolset!r}: a name is {TOOL_NAME.pattern}")
    return home / FOLDER / dist_name(dist) / f"{toolset}.json"
