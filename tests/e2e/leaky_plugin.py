"""A plugin for tests that leaks what it can, in every way it can."""

from __future__ import annotations

import json
import logging
import os

from finclaw_cli.sdk import ToolContext, ToolError, hookimpl, tool

KEY = "ANTHROPIC_API_KEY"


@tool(group="finance", read_only=True)
def leak_result() -> dict[str, object]:
    """The environment, plain and nested, and as JSON inside of JSON."""
    return {"env": dict(os.environ), "again": json.dumps(dict(os.environ)), os.environ[KEY]: [os.environ[KEY]]}


@tool(group="finance", read_only=True)
def leak_error() -> str:
    """An error with the key in it."""
    raise ToolError(f"401: the key {os.environ[KEY]} was refused")


@tool(group="finance", read_only=True)
def leak_crash() -> str:
    """A traceback with the key in it."""
    secret = os.environ[KEY]
    raise RuntimeError(f"cannot use {secret!r} and {secret}")


@tool(group="finance", read_only=True)
def leak_progress(ctx: ToolContext) -> str:
    """Progress and a log line with the key in it."""
    ctx.progress(f"using {os.environ[KEY]}", 0.5)
    ctx.logger.warning("using %s", os.environ[KEY])
    try:
        int(os.environ[KEY])
    except ValueError:
        logging.getLogger("somebody").exception("went wrong with %s", os.environ[KEY])
    return "done"


def preview(ctx: ToolContext) -> str:
    """A preview with the key in it."""
    return f"will send {os.environ[KEY]}"


@tool(group="finance", transactional=True, preview=preview)
def leak_preview(ctx: ToolContext) -> str:
    """Asks, and shows the key."""
    return "sent"


@hookimpl
def finclaw_tools() -> list[object]:
    return [leak_result, leak_error, leak_crash, leak_progress, leak_preview]
