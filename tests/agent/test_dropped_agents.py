"""An agent that is dropped without `aclose` leaves nothing open, which Python 3.13 warns of."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import asyncio, gc
from finclaw_cli import Agent

async def main():
    agent = Agent(model="demo")
    return await agent.run("How did ACME do this year?")

print(asyncio.run(main()).status)
gc.collect()
"""


def test_nothing_is_left_open() -> None:
    command = [sys.executable, "-W", "error", "-c", PROGRAM]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("completed\n", "")
