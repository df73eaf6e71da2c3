from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.queue import LEASE_S, BatchQueue
from finclaw_cli.batch.sqlite_queue import SqliteQueue
from finclaw_cli.testing.batch_apis import BatchApis
from tests.batch.model_server import ModelServer
from tests.batch.paying_rounds import MODELS, options_of
from tests.batch.queues import Clock, MakeQueue


def no_fault(_: str) -> None:
    """Let each operation pass."""


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lease_s() -> float:
    """How long a worker on another machine keeps its items without a heartbeat."""
    return LEASE_S


@pytest.fixture
async def make_queue(tmp_path: Path, clock: Clock) -> AsyncIterator[MakeQueue]:
    """Makes the queues of several workers over one store; another implementation has its own."""
    made: list[BatchQueue] = []

    def make(*, machine: str = "here", fault: Callable[[str], None] = no_fault) -> BatchQueue:
        made.append(SqliteQueue(tmp_path / "home", machine=machine, now_ms=clock, fault=fault))
        return made[-1]

    yield make
    for queue in made:
        await queue.aclose()


@pytest.fixture
def queue(make_queue: MakeQueue) -> BatchQueue:
    return make_queue()


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer() as running:
        yield running


@pytest.fixture
def options(server: ModelServer) -> AgentOptions:
    """The options of a batch that asks the server, with a price for what it answers."""
    model = "openai-chat:m"
    return AgentOptions(
        model=model,
        base_url=server.url,
        keys={"OPENAI_API_KEY": "k"},
        tools=["none"],
        no_plugins=True,
        retry_base=0.001,
        models={model: {"input_usd": "1000", "output_usd": "1000"}},
    )


@pytest.fixture
async def apis() -> AsyncIterator[BatchApis]:
    async with BatchApis() as running:
        yield running


@pytest.fixture(params=MODELS)
def round_options(request: pytest.FixtureRequest, apis: BatchApis) -> AgentOptions:
    return options_of(request.param, apis.url)


@pytest.fixture
def openai(apis: BatchApis) -> AgentOptions:
    return options_of("openai-responses:m", apis.url)


@pytest.fixture
def anthropic(apis: BatchApis) -> AgentOptions:
    return options_of("anthropic:m", apis.url)
