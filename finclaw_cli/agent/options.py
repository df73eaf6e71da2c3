"""The keyword arguments of an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

from finclaw_cli.agent.approval import ApprovalCallback
from finclaw_cli.agent.setting_options import SettingOptions
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.tool import ToolDefinition

Tool = Callable[..., Any] | ToolDefinition
"""A function whose parameters have types, marked with `@tool` or not; or a tool of a plugin's kind."""


class AgentOptions(SettingOptions, total=False):
    """The settings of a run (`SettingOptions`), and what follows."""

    tools: Sequence[str | Tool] | None
    """Names, globs and GROUP:GLOB of installed tools, and functions. None: the tools offered by default.

    A function that is not marked as one that needs an approval is approved by being passed.
    """
    channel: str | None
    """Where the calls of its runs come from, for rules of channels: `ci` in CI, else `pipe`, where none is given."""
    schema: JsonObject | type[Any] | str | None
    """The form of the answer: a JSON Schema, a pydantic model, the name of a file, or `name:type,…`."""
    approver: ApprovalCallback | None
    """Decides on calls that need an approval; without it they are denied."""
    session: str | None
    """The session to continue, or to begin under this name."""
    continue_: bool
    """Whether the session that was written last is continued."""
    resume: bool
    """Whether `run()` without a prompt takes up the last question of the session."""
    keys: Mapping[str, str]
    """Keys of providers by the names of their variables, over those of the environment."""
    home: str | PathLike[str] | None
    """The data folder: sessions, usage, prices, trusted plugins, and the user's policy."""
    workspace: str | PathLike[str] | None
    """The working directory: project files, and what workspace tools may read."""
    no_plugins: bool
    """Whether no plugin is used."""


OWN = frozenset(AgentOptions.__annotations__) - frozenset(SettingOptions.__annotations__)
"""The options that are not settings."""
