"""Batches in rounds whose items pay, with a tool whose effects are counted outside."""

from __future__ import annotations

import asyncio

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.economy import Economy
from finclaw_cli.batch.queue import BatchItem
from finclaw_cli.batch.round_trip import RoundTimes
from finclaw_cli.testing.batch_apis import BatchApis
from tests.batch.kills import approve, pay

__all__ = ["MODELS", "QUICK", "approve", "interrupted", "options_of", "pay", "run"]

QUICK = RoundTimes(settle_s=0.05, longest_wait_s=5.0, look_s=0.01, longest_look_s=0.05, adopt_s=0.1)
MODELS = ("anthropic:m", "openai-responses:m", "openai-chat:m")
KEYS = {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}


def options_of(model: str, url: str) -> AgentOptions:
    """The options of a batch that asks the fake APIs, at 1,000 USD for a million tokens."""
    return AgentOptions(
        model=model,
        base_url=url,
        keys=KEYS,
        tools=["none"],
        no_plugins=True,
        retry_base=0.001,
        models={model: {"input_usd": "1000", "output_usd": "1000"}},
    )


async def run(prompts: list[str], options: AgentOptions, economy: Economy = "batch") -> list[BatchItem]:
    async with Batch(prompts, economy=economy, **options) as batch:
        batch.round_times = QUICK
        return [item async for item in batch.results(ordered=True)]


async def interrupted(prompts: list[str], options: AgentOptions, apis: BatchApis) -> Batch:
    """A batch whose process ends while its round is answered."""
    apis.is_held, made = True, asyncio.Event()
    apis.reached = lambda boundary: made.set() if boundary == "state" else None
    async with Batch(prompts, economy="batch", **options) as batch:
        batch.round_times = QUICK
        running = asyncio.create_task(batch.run())
        await made.wait()
        batch.interrupt()
        await running
    apis.is_held = False
    return batch
