"""Tools, hooks and listeners of a plugin; the environment names the place of the fault and the fault."""

from __future__ import annotations

import asyncio
import os
import sys
import time

from finclaw_cli.sdk import Reconciled, ToolDefinition, hookimpl

PLACE, _, FAULT = os.environ.get("ACME_FAULT", "").partition(":")


class SilentError(Exception):
    """An exception whose text cannot be read."""

    def __str__(self) -> str:
        raise KeyboardInterrupt

    __repr__ = __str__


class SlowError(Exception):
    """An exception whose text takes forever."""

    def __str__(self) -> str:
        time.sleep(600)
        return ""

    __repr__ = __str__


class Odd(dict):
    """Data that cannot be read."""

    def items(self):
        raise SystemExit(5)

    __iter__ = keys = items  # type: ignore[assignment]


FAULTS = {
    "silent": SilentError(),
    "slow": SlowError(),
    "exit": SystemExit(5),
}


def at(place: str) -> object:
    if place != PLACE:
        return None
    if FAULT == "beside":
        asyncio.get_running_loop().call_soon(sys.exit, 5)
        return None
    if FAULT == "odd":
        return Odd(a=1)
    raise ValueError("A" * 50_000_000) if FAULT == "long" else FAULTS[FAULT]


async def handle(arguments, ctx):
    odd = at("tool")
    if PLACE == "reconcile":
        await asyncio.sleep(600)
    await asyncio.sleep(0.1)
    return odd or "done"


async def shown(arguments, ctx):
    return at("preview") or "preview"


def shown_at_once(arguments, ctx):
    at("plain-preview")
    return shown(arguments, ctx)


async def found_out(key, ctx):
    return at("reconcile") or Reconciled(state="not_found", is_final=True)


def checked(arguments):
    at("validate")
    return []


@hookimpl
def finclaw_tools():
    return [
        ToolDefinition(
            name="acts",
            description="Act.",
            input_schema={"type": "object"},
            group="finance",
            transactional=True,
            handler=handle,
            validate=checked if PLACE == "validate" else None,
            preview=shown_at_once if PLACE == "plain-preview" else shown,
            reconcile=found_out,
            reconcile_after_s=0.0,
            timeout_s=1.0 if PLACE == "reconcile" or FAULT == "slow" else 20.0,
        )
    ]


@hookimpl
async def finclaw_before_tool_call(call, context):
    at("before")


@hookimpl
def finclaw_after_tool_call(call, result, context):
    at("after")


@hookimpl
def finclaw_event(run_id, event):
    at("event")
