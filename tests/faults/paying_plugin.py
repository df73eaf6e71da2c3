"""Tools whose effects are counted outside: one that looks, one that pays, one that pays and can be asked about it."""

from __future__ import annotations

import os
from pathlib import Path

from finclaw_cli.sdk import Reconciled, ToolContext, hookimpl, tool


def leave_mark(ctx: ToolContext, name: str) -> None:
    """One write, which is on the disk when this returns, as far as a killed process is concerned."""
    fd = os.open(Path(ctx.home) / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(fd, f"{ctx.idempotency_key}\n".encode())
    os.close(fd)


@tool(group="finance", read_only=True)
def look(ctx: ToolContext) -> str:
    """Look."""
    leave_mark(ctx, "looked")
    return "seen"


@tool(group="finance", transactional=True)
def pay(amount: int, ctx: ToolContext) -> str:
    """Pay."""
    leave_mark(ctx, "paid")
    return f"paid {amount}"


async def found(key: str, ctx: ToolContext) -> Reconciled:
    """Ask the outside world."""
    orders = Path(ctx.home) / "ordered"
    done = orders.exists() and key in orders.read_text().splitlines()
    return Reconciled(state="done", content="ordered") if done else Reconciled(state="not_found")


@tool(group="finance", transactional=True, reconcile=found, reconcile_after=0)
def order(symbol: str, ctx: ToolContext) -> str:
    """Order."""
    leave_mark(ctx, "ordered")
    return f"ordered {symbol}"


@hookimpl
def finclaw_tools() -> list[object]:
    return [look, pay, order]
