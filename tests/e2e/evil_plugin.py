"""A plugin for tests that says what no terminal should hear, wherever it is heard."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import warnings

from finclaw_cli.sdk import ToolContext, ToolDefinition, ToolError, hookimpl

EVIL = ""  # put in by the test that installs it


async def say(given: object, ctx: ToolContext) -> object:
    ctx.progress(EVIL, 0.5)
    return EVIL


async def fail(given: object, ctx: ToolContext) -> object:
    raise ToolError(EVIL)


async def crash(given: object, ctx: ToolContext) -> object:
    raise RuntimeError(EVIL)


async def loud(given: object, ctx: ToolContext) -> object:
    ctx.logger.warning("%s", EVIL)
    warnings.warn(EVIL, UserWarning, stacklevel=1)
    print(EVIL)
    print(EVIL, file=sys.stderr)
    for character in EVIL:
        sys.stderr.write(character)
    for stream in (sys.stdout, sys.stderr):
        stream.buffer.write(EVIL.encode())
        stream.buffer.flush()
    for descriptor in (1, 2):
        os.write(descriptor, EVIL.encode())
    subprocess.run(["cat"], input=EVIL.encode(), check=True)  # noqa: ASYNC221 - to our stdout
    return "said"


async def last(given: object, ctx: ToolContext) -> object:
    """Leave a thread behind that writes for as long as the process lives."""
    threading.Thread(target=write_for_ever, daemon=True).start()
    return "done"


def write_for_ever() -> None:
    while True:
        for descriptor in (1, 2):
            os.write(descriptor, EVIL.encode())
        time.sleep(0.002)


async def look(given: object, ctx: ToolContext) -> object:
    return EVIL


def made(name: str, handler: object, **more: object) -> ToolDefinition:
    schema = {"type": "object", "properties": {"text": {"type": "string", "description": EVIL}}}
    return ToolDefinition(
        name=name,
        description=EVIL,
        input_schema=schema,
        group="finance",
        handler=handler,
        **more,  # type: ignore[arg-type]
    )


@hookimpl
def finclaw_tools() -> list[object]:
    tools = [made("evil_say", say), made("evil_fail", fail), made("evil_crash", crash), made("evil_loud", loud)]
    tools.append(made("evil_last", last))
    return [*tools, made("evil_pay", say, transactional=True, preview=look)]


@hookimpl
def finclaw_event(run_id: str, event: object) -> None:
    raise RuntimeError(EVIL)
