"""The servers that the user's settings name: `[mcp.servers.NAME]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, StringConstraints, ValidationError, model_validator

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_cli.sdk.http import is_allowed_address
from finclaw_cli.sdk.settings import read_settings, settings_now
from finclaw_mcp.digests import digest

DISTRIBUTION = "finclaw-mcp"
START_S = 30.0
"""How long a server may take to be ready, where its entry has no other time."""
CALL_S = 60.0
"""How long a call may take, where its entry has no other time."""
NAME = re.compile(r"(?!.*__)[a-z][a-z0-9_]{0,23}")
Seconds = Annotated[float, Field(gt=0, le=3_600)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=4_096)]


class OneTool(BaseModel):
    """What the user knows of one tool, by its name at the server."""

    effect: Literal["read", "write", "transact"] | None = None
    """What a call does, whatever the server declares of it."""
    timeout_sec: Seconds | None = None


class Entry(BaseModel):
    """How one server is started or reached, and what the user believes of it."""

    command: Text | None = None
    args: list[str] = []
    env: dict[str, str] = {}
    """Variables of its process. `${VAR}` and `${VAR:-default}` stand for variables of finclaw's."""
    cwd: Text | None = None
    url: Text | None = None
    bearer_token_env_var: Text | None = None
    """The variable, or the key in the keyring, whose value is sent to `url` as a bearer token."""
    http_headers: dict[str, str] = {}
    """What is sent to `url` with each request; `${VAR}` as in `env`."""
    startup_timeout_sec: Seconds = START_S
    tool_timeout_sec: Seconds = CALL_S
    enabled: bool = True
    enabled_tools: list[str] | None = None
    """The only tools that are offered, by their names at the server."""
    disabled_tools: list[str] = []
    hints: Literal["ask", "believe"] = "ask"
    """Whether a tool may run unasked because its server declares that it only reads."""
    tools: dict[str, OneTool] = {}

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise ValueError("a server has either a command or a url")
        if self.url is not None and not is_allowed_address(self.url):
            raise ValueError("url: https://HOST/PATH, or http for this machine; without user, query and fragment")
        return self

    def offers(self, tool: str) -> bool:
        """Whether the user wants a tool, by its name at the server."""
        return tool not in self.disabled_tools and (self.enabled_tools is None or tool in self.enabled_tools)

    def timeout_s(self, tool: str) -> float:
        """How long a call of a tool may take, in seconds."""
        return (self.tools[tool].timeout_sec if tool in self.tools else None) or self.tool_timeout_sec

    def folder(self, other: Path) -> Path:
        """Where the server's process runs: the folder that is set, else the other one."""
        return Path(self.cwd).expanduser() if self.cwd else other

    @property
    def digest(self) -> str:
        """Changes with anything that was looked at when the server was trusted."""
        return digest(self.model_dump(mode="json", exclude={"enabled"}))

    @property
    def shown(self) -> str:
        """The command line or the address, for the user."""
        import shlex

        return self.url or shlex.join([self.command or "", *self.args])


class McpSettings(BaseModel):
    """The table `[mcp]`."""

    servers: dict[str, Entry] = {}


def entries() -> Mapping[str, Entry]:
    """All entries, for commands.

    Raises:
        SettingsError: the settings are wrong.
        ToolError: a server's name cannot be used.
        UsageError: they cannot be read.
    """
    return _named(settings_now(McpSettings, DISTRIBUTION))


def entry_for(context: ToolContext, name: str) -> Entry | None:
    """The entry that holds for a call; None where the settings have none."""
    return read_settings(McpSettings, context, DISTRIBUTION).servers.get(name)


def _named(settings: McpSettings) -> Mapping[str, Entry]:
    for name in settings.servers:
        if not NAME.fullmatch(name):
            raise ToolError(
                f"[mcp.servers.{name}]: a name has 1 to 24 of a-z, 0-9 and _, begins with a letter, "
                "and has no two _ beside one another"
            )
    return settings.servers


def check_entry(given: Mapping[str, object]) -> None:
    """Check an entry before it is written.

    Raises:
        ToolError: it cannot be one.
    """
    try:
        Entry.model_validate(given, extra="forbid")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ToolError((f"{where}: " if where else "") + first["msg"].removeprefix("Value error, ")) from None
