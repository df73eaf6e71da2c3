"""A server in the event loop of the tests, and what its clients do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError

from finclaw_cli.engine.cancel import cancellation_by
from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.listener import ServerOptions
from finclaw_cli.serve.server import Server
from finclaw_cli.serve.token import new_token

SIGTERM = 15
SSE = {"accept": "text/event-stream"}
Line = dict[str, Any]


@dataclass(frozen=True)
class Served:
    """One server, and a client of it that has the token."""

    server: Server
    http: httpx2.AsyncClient
    reports: list[str] = field(default_factory=list)

    @property
    def token(self) -> str:
        return self.server.url.partition("#")[2]

    @property
    def address(self) -> str:
        return self.server.url.partition("/#")[0]

    def stop(self) -> None:
        self.server.stop(cancellation_by(SIGTERM))

    async def start(self, prompt: str | None = "How is it?", **body: Any) -> str:
        """Start a run; its id."""
        answer = await self.http.post("/v1/runs", json={"prompt": prompt, **body})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["run_id"])

    async def get(self, path: str, **query: Any) -> Any:
        answer = await self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def read(self, run_id: str, headers: Mapping[str, str] | None = None, **query: Any) -> bytes:
        """All lines of a run by server-sent events, as NDJSON."""
        return b"".join([line async for _, line in self.events(run_id, headers, **query)])

    async def events(
        self, run_id: str, headers: Mapping[str, str] | None = None, **query: Any
    ) -> AsyncIterator[tuple[str, bytes]]:
        """The lines of a run by server-sent events, each with its id."""
        path = f"/v1/runs/{run_id}/events"
        async with self.http.stream("GET", path, params=query, headers={**SSE, **(headers or {})}) as answer:
            assert answer.status_code in {200, 204}, await answer.aread()
            event_id = ""
            async for text in answer.aiter_lines():
                name, _, value = text.partition(": ")
                if name == "id":
                    event_id = value
                elif name == "data":
                    yield event_id, value.encode() + b"\n"

    def socket(self, path: str, **options: Any) -> Any:
        """A WebSocket, as a browser opens it."""
        address = self.address.replace("http", "ws", 1)
        return connect(
            f"{address}{path}", subprotocols=["finclaw", f"token.{self.token}"], proxy=None, compression=None, **options
        )

    async def begun(self) -> None:
        """Wait until there is a run."""
        while not await self.get("/v1/runs"):  # noqa: ASYNC110 - it is about polling
            await asyncio.sleep(0.01)

    async def ended(self, run_id: str) -> Line:
        """A run once it has ended, without a reader of its events."""
        while (run := await self.get(f"/v1/runs/{run_id}"))["finished"] is None:  # noqa: ASYNC110 - it is about polling
            await asyncio.sleep(0.01)
        return dict(run)

    async def result(self, run_id: str) -> Line:
        """The last line of a run."""
        return dict(json.loads((await self.read(run_id)).splitlines()[-1]))


async def frames(socket: ClientConnection) -> bytes:
    """All frames until the server closes the connection."""
    read = list[bytes]()
    with suppress(ConnectionClosedError):  # by another code than that of the end
        async for frame in socket:
            read.append(frame.encode() if isinstance(frame, str) else frame)
    return b"".join(read)


@asynccontextmanager
async def serving(limits: Limits | None = None, **options: Any) -> AsyncIterator[Served]:
    """A server on a free port of this machine, which is stopped in the end."""
    reports: list[str] = []
    server = Server(ServerOptions(token=new_token(), limits=limits or Limits(absence_s=0.2), **options), reports.append)
    task = asyncio.create_task(server.serve())
    base, _, token = server.url.partition("/#")
    headers = {"authorization": f"Bearer {token}"}
    try:
        async with httpx2.AsyncClient(base_url=base, headers=headers, timeout=60, trust_env=False) as http:
            served = Served(server, http, reports)
            yield served
    finally:
        server.stop(cancellation_by(SIGTERM))
        await task
    assert reports == []
