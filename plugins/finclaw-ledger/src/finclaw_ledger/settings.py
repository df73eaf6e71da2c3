"""The user's table `[plugin.finclaw-ledger]`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from finclaw_cli.sdk import ToolContext, no_data
from finclaw_cli.sdk.settings import read_settings

TABLE = "plugin.finclaw-ledger"


class LedgerSettings(BaseModel, frozen=True):
    """The settings of the ledger.

    `beancount_file` is the main file of books kept with beancount; the tools answer from it instead of the store.
    `budget` has amounts by currency and category, such as `400` or `1200 per year`.
    """

    beancount_file: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None
    budget: dict[str, dict[str, str | int]] = {}


def ledger_settings(ctx: ToolContext) -> LedgerSettings:
    """The settings that hold for a call.

    Raises:
        ToolError: NOT_CONFIGURED: the table has an unknown key or a value of another type.
    """
    return read_settings(LedgerSettings, ctx, "finclaw-ledger")


def beancount_file(ctx: ToolContext) -> Path | None:
    """The beancount file of the settings.

    Raises:
        ToolError: NOT_CONFIGURED: the table has an unknown key, or the path is relative or no file.
    """
    given = ledger_settings(ctx).beancount_file
    if given is None:
        return None
    try:
        path = Path(given).expanduser()
        found = path.is_absolute() and path.is_file()
    except (OSError, RuntimeError, ValueError):
        found = False
        path = Path(given)
    if not found:
        raise no_data(f"[{TABLE}] beancount_file {given[:200]!r} is not the full path of a file", code="NOT_CONFIGURED")
    return path
