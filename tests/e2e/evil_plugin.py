"""A plugin for tests that says what no terminal should hear, wherever it is heard."""

from __future__ import annotations

from finclaw_cli.sdk import ToolContext, ToolDefinition, ToolError, hookimpl

EVIL = ""  # put in by the test that installs it


async def say(given: object, ctx: ToolContext) -> object:
    ctx.progress(EVIL, 0.5)
    return EVIL


async def fail(given: object, ctx: ToolContext) -> object:
    raise ToolError(EVIL)


async def crash(given: object, ctx: ToolContext) -> object:
    raise RuntimeError(EVIL)


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
    tools = [made("evil_say", say), made("evil_fail", fail), made("evil_crash", crash)]
    return [*tools, made("evil_pay", say, transactional=True, preview=look)]


@hookimpl
def finclaw_event(run_id: str, event: object) -> None:
    raise RuntimeError(EVIL)
