"""What the user's settings say: the table `[plugin.finclaw-workspace]`. No project file can set it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, field_validator

from finclaw_cli.sdk import ToolContext
from finclaw_cli.sdk.files import Parts
from finclaw_cli.sdk.settings import read_settings

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# What would change the sandbox's own program, which starts with the same environment, before it has shut anything out.
_NEVER_PASSED = re.compile(r"LD_.*|GLIBC_TUNABLES|BASH_ENV|BASH_FUNC.*|ENV|SHELLOPTS|BASHOPTS|PATH|HOME|PWD|MALLOC_.*")


class WorkspaceSettings(BaseModel, frozen=True):
    """The settings of the workspace's tools."""

    network: bool = False
    writable: bool = True
    read_also: list[str] = []
    pass_env: list[str] = []
    protected: list[str] = []
    max_processes: Annotated[int, Field(ge=16, le=100_000)] = 512
    max_memory_mb: Annotated[int, Field(ge=64, le=1_000_000)] = 4_096

    @field_validator("read_also")
    @classmethod
    def _folders(cls, given: list[str]) -> list[str]:
        for folder in given:
            if not folder.startswith(("/", "~/")) or ".." in folder.split("/") or folder.strip("/~") == "":
                raise ValueError(f"{folder!r} is not the absolute path of a folder")
        return [str(Path(folder).expanduser()) for folder in given]

    @field_validator("pass_env")
    @classmethod
    def _variables(cls, given: list[str]) -> list[str]:
        for name in given:
            if not _VARIABLE.fullmatch(name) or _NEVER_PASSED.fullmatch(name):
                raise ValueError(f"{name!r} is not the name of a variable that can be passed")
        return given

    @field_validator("protected")
    @classmethod
    def _relative(cls, given: list[str]) -> list[str]:
        for path in given:
            if path.startswith(("/", "~")) or ".." in path.split("/") or not _parts(path):
                raise ValueError(f"{path!r} is not a path relative to the workspace")
        return given

    @property
    def protected_parts(self) -> tuple[Parts, ...]:
        """The further protected paths, as components."""
        return tuple(_parts(path) for path in self.protected)


def settings_of(ctx: ToolContext) -> WorkspaceSettings:
    """The settings that hold for a call.

    Raises:
        ToolError: they are wrong.
    """
    return read_settings(WorkspaceSettings, ctx, "finclaw-workspace")


def _parts(path: str) -> Parts:
    return tuple(part for part in path.split("/") if part not in {"", "."})
