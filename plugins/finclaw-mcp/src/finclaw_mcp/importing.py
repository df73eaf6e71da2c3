"""Servers that other programs' settings name, as entries of finclaw's.

Claude Code (`.mcp.json`), Claude Desktop, Cursor and others have `mcpServers`; VS Code has `servers`
(`.vscode/mcp.json`); codex has `mcp_servers` in a `config.toml`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.files import read_regular
from finclaw_cli.sdk.render import bounded, quoted
from finclaw_mcp.entries import NAME, check_entry

MAX_BYTES = 4 * 1024 * 1024
_TABLES = ("mcpServers", "servers", "mcp_servers")
_FOR_PROGRAMS = frozenset({"command", "args", "env", "cwd"})
_FOR_ADDRESSES = frozenset({"url", "bearer_token_env_var", "http_headers"})
_FOR_TOOLS = frozenset({"startup_timeout_sec", "tool_timeout_sec", "enabled_tools", "disabled_tools"})
_TAKEN = _FOR_PROGRAMS | _FOR_ADDRESSES | _FOR_TOOLS
_KNOWN = _TAKEN | {"type", "enabled", "disabled"}
_INPUT = re.compile(r"\$\{input:([^}]*)\}")
_VARIABLE = re.compile(r"\$\{env:([^}]*)\}")


@dataclass
class Found:
    """What a file has."""

    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The tables to write, by the names that they get."""
    left_out: list[str] = field(default_factory=list)
    """A line for each server that is left out, and for each key of one that is."""


def servers_in(path: Path, taken: Collection[str]) -> Found:
    """The servers of a file.

    Args:
        path: JSON, or TOML where its name ends so.
        taken: names that are in use.

    Raises:
        ToolError: it is no such file.
        OSError: it cannot be read.
    """
    found = Found()
    for name, given in _tables(path).items():
        _add(found, str(name), given, {*taken, *found.entries})
    return found


def _tables(path: Path) -> Mapping[str, Any]:
    content = read_regular(path, MAX_BYTES)
    try:
        text = content.decode("utf-8-sig")
        settings = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ToolError(
            f"{path}: it is not {'TOML' if path.suffix == '.toml' else 'JSON'}: {bounded(str(error), 200)}"
        ) from error
    for key in _TABLES:
        if isinstance(settings, dict) and isinstance(settings.get(key), dict):
            tables: Mapping[str, Any] = settings[key]
            return tables
    raise ToolError(f"{path}: it names no servers; looked for {', '.join(_TABLES)}")


def _add(found: Found, name: str, given: Any, taken: Collection[str]) -> None:
    own = _own_name(name)
    if not isinstance(given, dict):
        found.left_out.append(f"{quoted(name)}: it is no table")
    elif not NAME.fullmatch(own):
        found.left_out.append(f"{quoted(name)}: its name has no letter a-z to begin with")
    elif own in taken:
        found.left_out.append(f"{quoted(name)}: there is a server {own} already")
    else:
        named = {("http_headers" if key == "headers" else key): value for key, value in given.items()}
        table = {key: _plain(value) for key, value in named.items() if key in _TAKEN}
        try:
            check_entry(table)
        except ToolError as error:
            found.left_out.append(f"{quoted(name)}: {error}")
            return
        found.entries[own] = table
        found.left_out += [f"{quoted(name)}: the key {quoted(key)}" for key in named if key not in _KNOWN]


def _own_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789")[:24].rstrip("_")


def _plain(value: Any) -> Any:
    """A value with references to variables as finclaw writes them: `${input:api-key}` becomes `${API_KEY}`."""
    if isinstance(value, str):
        text = _VARIABLE.sub(r"${\1}", value)
        return _INPUT.sub(lambda found: "${" + re.sub(r"\W+", "_", found[1]).upper() + "}", text)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return value
