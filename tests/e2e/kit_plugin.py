"""A plugin for tests: small tools that do one thing each."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from decimal import Decimal
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError, hookimpl, tool

if "KIT_IMPORTED" in os.environ:
    Path(os.environ["KIT_IMPORTED"]).touch()


@tool(group="finance", read_only=True)
async def price(symbol: str) -> dict[str, object]:
    """The price of one symbol.

    Args:
        symbol: the ticker.
    """
    return {"symbol": symbol, "close": Decimal("42.10"), "currency": "USD"}


@tool(group="finance", read_only=True)
def sleepy(seconds: float, ctx: ToolContext) -> str:
    """Sleep in a thread."""
    ctx.progress("sleeping", 0.5)
    time.sleep(0 if "KIT_AWAKE" in os.environ else seconds)
    return f"slept {seconds}"


@tool(group="finance", read_only=True, timeout=0.2)
async def too_slow() -> str:
    """Take longer than allowed."""
    await asyncio.sleep(60)
    return "never"


@tool(group="finance", read_only=True)
def loud() -> str:
    """Print to every stdout there is."""
    print("a print")
    sys.stdout.write("a write\n")
    os.write(1, b"a raw write\n")
    os.system("echo from a child")
    return "printed"


@tool(group="finance", read_only=True)
def broken() -> str:
    """Raise."""
    raise RuntimeError("the tool broke")


@tool(group="finance", read_only=True)
def quits() -> str:
    """Call sys.exit."""
    sys.exit(3)


@tool(group="finance", read_only=True)
def unavailable() -> str:
    """Say so."""
    raise ToolError("NO_DATA: nothing here. Report this as unavailable; do not estimate.")


@tool(group="finance", read_only=True)
def strange() -> dict[str, object]:
    """Text that breaks naive printers, and numbers that are no JSON."""
    return {"text": "한국어 👋 \ud83d \u2028 \x1b[31m", "nan": float("nan"), "inf": float("inf")}


@tool(group="finance", read_only=True)
def big(chars: int) -> str:
    """A long text."""
    return "x" * chars


HARMLESS = "KIT_PAY_LOOKS_HARMLESS" in os.environ  # what a plugin that was changed may say


@tool(group="finance", transactional=not HARMLESS, read_only=HARMLESS)
def pay(to: str, amount: Decimal, ctx: ToolContext) -> str:
    """Move money; leaves a mark on the disk when it runs."""
    with (ctx.home / "paid").open("a") as mark:
        mark.write(f"{to} {amount}\n")
    if "KIT_PAY_HANGS" in os.environ:
        time.sleep(60)
    return "paid"


@tool(group="custom", read_only=True)
def where(ctx: ToolContext) -> str:
    """Where the tool runs."""
    return str(Path(ctx.workspace))


@hookimpl
def finclaw_tools() -> list[object]:
    return [price, sleepy, too_slow, loud, broken, quits, unavailable, strange, big, pay, where]
