"""What is known of servers without starting them: `mcp/NAME.json` in the data folder, one for each server trusted.

The user has looked at the server once (`finclaw mcp trust`). What was looked at is pinned: the entry of the settings,
and each tool as the server declared it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from finclaw_cli.sdk import ToolError, finclaw_home
from finclaw_cli.sdk.files import private_folder, read_regular, replace_file
from finclaw_cli.sdk.toolsets import forget_tools, keep_tools
from finclaw_mcp.declared import specs_of, tool_digest
from finclaw_mcp.entries import DISTRIBUTION, NAME, Entry

MAX_BYTES = 16 * 1024 * 1024
Era = Literal["handshake", "stateless"]


def _named(tool: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(tool.get("name"), str):
        raise ValueError("a tool has no name")  # noqa: TRY004 - pydantic turns no other error into one of its own
    return tool


class Known(BaseModel):
    """What a server was when it was trusted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    entry: str
    """The digest of its entry."""
    era: Era
    version: str
    """The version of the protocol that it speaks."""
    discovered: dict[str, Any] | None = None
    """Its answer to `server/discover`, which saves the question at the next start."""
    about: str = ""
    """What it calls itself."""
    tools: tuple[Annotated[dict[str, Any], AfterValidator(_named)], ...]
    """Its tools, as it declared them."""

    @property
    def pins(self) -> dict[str, str]:
        """The digest of each tool, by its name at the server."""
        return {str(tool["name"]): tool_digest(tool) for tool in self.tools}


@dataclass(frozen=True)
class Changes:
    """How the tools of a server differ from those that were trusted, by their names at the server."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @classmethod
    def between(cls, known: Known, tools: Sequence[Mapping[str, Any]]) -> Changes:
        """What is new, other and gone in these tools."""
        pins, now = known.pins, {str(tool["name"]): tool_digest(tool) for tool in tools}
        return cls(
            added=tuple(sorted(now.keys() - pins.keys())),
            changed=tuple(sorted(name for name in now.keys() & pins.keys() if now[name] != pins[name])),
            removed=tuple(sorted(pins.keys() - now.keys())),
        )

    @property
    def withheld(self) -> frozenset[str]:
        """The tools that may not be called until the server is trusted again."""
        return frozenset((*self.added, *self.changed, *self.removed))


def trusted(name: str) -> Known | None:
    """What is known of a server; None where it is not trusted.

    Raises:
        ToolError: the file cannot be used.
    """
    try:
        return Known.model_validate_json(read_regular(_path(name), MAX_BYTES))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise ToolError(f"{_path(name)} cannot be used; make it anew: finclaw mcp trust {name}") from error


def trusted_names() -> list[str]:
    """The servers that are trusted, by name."""
    folder = _folder()
    names = sorted(path.stem for path in folder.glob("*.json")) if folder.is_dir() else []
    return [name for name in names if NAME.fullmatch(name)]


def keep(name: str, entry: Entry, known: Known) -> None:
    """Trust a server as it is known now; from then on its tools are offered.

    Raises:
        UsageError: a tool of it cannot be one.
        OSError: it cannot be written.
    """
    keep_tools(DISTRIBUTION, name, list(specs_of(name, known.tools, entry).values()))
    private_folder(_folder())
    replace_file(_path(name), known.model_dump_json().encode())


def forget(name: str) -> bool:
    """Trust a server no more; return whether it was trusted.

    Raises:
        OSError: what is known of it cannot be removed.
    """
    was_kept = forget_tools(DISTRIBUTION, name)
    was_known = _path(name).exists()
    _path(name).unlink(missing_ok=True)
    return was_kept or was_known


def dumped(value: object) -> dict[str, Any]:
    """A message of the protocol as plain JSON."""
    found: dict[str, Any] = json.loads(value.model_dump_json(by_alias=True, exclude_none=True))  # type: ignore[attr-defined]
    return found


def _folder() -> Path:
    return finclaw_home() / "mcp"


def _path(name: str) -> Path:
    return _folder() / f"{name}.json"
