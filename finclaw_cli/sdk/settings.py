"""The user's settings of a plugin, the table `[plugin.DIST]`, checked against a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import MCP, settings_of_plugins
from finclaw_cli.settings.secrets import find_key as find_secret
from finclaw_cli.settings.table_file import remove_table, table_text, write_table

__all__ = ["SettingsError", "find_secret", "read_settings", "remove_table", "settings_now", "table_text", "write_table"]


class SettingsError(ToolError):
    """Settings of a plugin that are wrong; a tool may raise it as it is."""


Settings = TypeVar("Settings", bound=BaseModel)


def read_settings(model: type[Settings], ctx: ToolContext, distribution: str) -> Settings:
    """The settings that hold for a call. Unknown names and values of another type are refused.

    Args:
        model: what the table may hold; each setting has a default.
        ctx: of the call.
        distribution: the plugin, as its table names it: `finclaw-market`.

    Raises:
        SettingsError: NOT_CONFIGURED, naming each wrong setting but not its value, which may be a key.
    """
    return _checked(model, ctx.settings, distribution)


def settings_now(model: type[Settings], distribution: str) -> Settings:
    """The settings of a plugin outside of any call, for its commands.

    Args:
        model: as for `read_settings`.
        distribution: the plugin.

    Raises:
        SettingsError: as for `read_settings`.
        UsageError: the settings cannot be read.
    """
    return _checked(model, settings_of_plugins(load_settings().settings).get(distribution, {}), distribution)


def _checked(model: type[Settings], given: Mapping[str, object], distribution: str) -> Settings:
    try:
        return model.model_validate(dict(given), strict=True, extra="forbid")
    except ValidationError as error:
        known = ", ".join(model.model_fields)
        wrong = "; ".join(_problem(item, known) for item in error.errors(include_url=False, include_input=False))
    table = "mcp" if distribution == MCP else f"plugin.{distribution}"
    raise SettingsError(
        f"NOT_CONFIGURED: [{table}] {wrong.rstrip('.')}. The user has to correct the settings; another call cannot."
    )


def _problem(item: Mapping[str, object], known: str) -> str:
    location = item.get("loc")
    where = ".".join(str(part) for part in location) if isinstance(location, tuple) else ""
    if item.get("type") == "extra_forbidden":
        return f"{where} is no setting" + ("" if "." in where else f" (known: {known})")
    return f"{where}: {str(item.get('msg', '')).removeprefix('Value error, ')}"
