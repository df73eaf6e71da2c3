"""A thousand runs at once in one process, and a thousand plain streams.

A program of its own (`concurrency.py runs|streams URL COUNT`), so that either side pays for itself alone: it prints the
CPU seconds of all of them, its imports and a first one not counted. What a run tells goes to NDJSON lines, as in
`finclaw run -o ndjson --no-save`; what a stream tells is parsed and printed again.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

MODEL = "claude-sonnet-5-5"
Once = Callable[[], Awaitable[object]]


def runs(url: str, count: int) -> Once:
    """One run, with the engine and the adapter of all."""
    from finclaw_cli.core.clock import SystemClock
    from finclaw_cli.core.secrets import PROCESS
    from finclaw_cli.engine.cancel import CancelScope
    from finclaw_cli.engine.connection import Connection
    from finclaw_cli.engine.engine import Engine
    from finclaw_cli.engine.lanes import Gate, Lanes
    from finclaw_cli.engine.request import ModelRef
    from finclaw_cli.engine.run import Run
    from finclaw_cli.masking.sinks import MaskedSinks
    from finclaw_cli.output.ndjson import NdjsonSink, Selection
    from finclaw_cli.output.stream import OutputStream
    from finclaw_cli.providers.anthropic.adapter import create
    from finclaw_cli.providers.config import ProviderConfig

    ref, clock = ModelRef(provider="anthropic", model=MODEL), SystemClock()
    provider = create(ProviderConfig(api_key="sk-ant-of-no-account", base_url=url))
    connection = Connection(ref=ref, provider=provider, gate=Gate(clock))
    engine = Engine(connect=lambda _: connection, lanes=Lanes(max_running=count), clock=clock)
    stream = OutputStream(os.open(os.devnull, os.O_WRONLY), _failed)

    async def once() -> None:
        sinks = MaskedSinks(PROCESS, [NdjsonSink(stream, Selection())])
        run = Run(engine, _request(ref), toolbox=_toolbox, sinks=[sinks], scope=CancelScope())
        result = await run()
        if result.exit_code:
            raise RuntimeError(str(result.error))

    return once


def _request(ref: Any) -> Any:
    from finclaw_cli.core.events.agent import AgentStart
    from finclaw_cli.core.events.parts import Limits
    from finclaw_cli.core.ids import new_run_id
    from finclaw_cli.core.messages import Message
    from finclaw_cli.engine.request import RunLimits, RunRequest

    run_id, limits = new_run_id(), RunLimits()
    told = Limits(
        max_turns=limits.max_turns, timeout_s=limits.timeout_s, first_chunk_s=limits.first_chunk_s,
        idle_s=limits.idle_s, max_tool_calls=limits.max_tool_calls, max_result_chars=1, max_cost_usd=None,
    )  # fmt: skip
    start = AgentStart(
        finclaw_version="0", session_id=run_id, agent_id="main", models=(str(ref),), scripted=False, channel="pipe",
        tools=(), plugins_failed=(), limits=told,
    )  # fmt: skip
    return RunRequest(
        start=start, run_id=run_id, session_id=run_id, agent_id="main", messages=(Message("user", "x"),), models=(ref,)
    )


def _toolbox(emit: Any) -> Any:
    from finclaw_cli.policy.judge import StagedPolicy
    from finclaw_cli.tools.batch import RegistryToolbox
    from finclaw_cli.tools.executor import ExecutorSettings, ToolServices
    from finclaw_cli.tools.null_services import NoApprover, NoHooks, NoJournal
    from finclaw_cli.tools.registry import ToolRegistry

    services = ToolServices(policy=StagedPolicy(), approver=NoApprover(), journal=NoJournal(), hooks=NoHooks())
    return RegistryToolbox(ToolRegistry(()), services, _no_context, ExecutorSettings(), emit)


def _no_context(*_: object) -> Any:
    raise RuntimeError("no tool was offered")


def _failed(error: OSError) -> None:
    raise error


def streams(url: str, count: int) -> Once:
    """One plain stream, with the client of all."""
    import httpx2

    limits = httpx2.Limits(max_connections=count, max_keepalive_connections=0)
    client = httpx2.AsyncClient(limits=limits, timeout=600)
    out = os.open(os.devnull, os.O_WRONLY)
    body = {"model": MODEL, "max_tokens": 4096, "stream": True, "messages": [{"role": "user", "content": "x"}]}

    async def once() -> None:
        async with client.stream("POST", f"{url}/v1/messages", json=body) as response:
            async for line in response.aiter_lines():
                if line.startswith("data:"):
                    os.write(out, (json.dumps(json.loads(line[5:])) + "\n").encode())

    return once


async def measured(once: Once, count: int) -> float:
    """CPU seconds of so many at once; one before them makes what all share."""
    await once()
    began = time.process_time()
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(_awaited(once))
    return time.process_time() - began


async def _awaited(once: Once) -> None:
    await once()


async def main(kind: str, url: str, count: int) -> None:
    make = partial({"runs": runs, "streams": streams}[kind], url, count)
    print(await measured(make(), count))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
