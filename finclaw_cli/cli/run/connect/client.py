"""Requests to a server: a run started, its lines, answers, its end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Self
from urllib.parse import quote

from finclaw_cli.cli.run.connect.address import ServerAddress
from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean
from finclaw_cli.core.errors import CredentialsError, FinclawError, SessionBusy, UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.http.authorities import trusted

TIMEOUT_S = 30.0
SILENCE_S = 60.0
"""The longest pause of a stream, in which the server sends a comment every 15 seconds."""
ATTEMPTS = 8
LONGEST_WAIT_S = 5.0
CLIENT = "terminal"
REDIRECTS, UNAUTHORIZED, UNPROCESSABLE, FAILED = 300, 401, 422, 500


class ServerLost(FinclawError):
    """The server does not answer."""

    code = "server_lost"
    exit_code = exits.PROVIDER


class ServerClient:
    """A client of one server, in one event loop."""

    def __init__(self, server: ServerAddress) -> None:
        import httpx2

        self._http = httpx2.AsyncClient(
            base_url=server.url,
            headers={"authorization": f"Bearer {server.token}"},
            timeout=httpx2.Timeout(TIMEOUT_S, read=SILENCE_S),
            trust_env=False,
            verify=trusted(server.url),
        )
        self._failures = (httpx2.HTTPError, OSError)
        self._url = server.url

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def start(self, body: JsonObject) -> str:
        """Start a run, once, also where the answer is lost on its way; return its id.

        Raises:
            FinclawError: the server refuses it, or does not answer.
        """
        key = {"idempotency-key": os.urandom(16).hex()}
        for attempt in range(2):
            try:
                answer = await self._http.post("/v1/runs", json=body, headers=key)
            except self._failures as error:
                if attempt:
                    raise self._lost(error) from error
            else:
                return str(_checked(answer)["run_id"])
        raise AssertionError("a loop of two attempts ends in one of them")

    async def lines(self, run_id: str) -> AsyncGenerator[bytes, None]:
        """All lines of a run, of all families; a connection that breaks off is made again.

        Raises:
            FinclawError: the server refuses that, or does not answer any more.
        """
        after, attempt = -1, 0
        while True:
            try:
                async for seq, line in self._piece(run_id, after):
                    after, attempt = seq, 0
                    yield line
                    if b'"type":"agent.result"' in line[:60]:
                        return
            except self._failures as error:
                if attempt == ATTEMPTS:
                    raise self._lost(error) from error
            attempt += 1
            if attempt > ATTEMPTS:
                raise self._lost(EOFError("the stream ends before the run"))
            await asyncio.sleep(min(0.1 * 2**attempt, LONGEST_WAIT_S) if attempt > 1 else 0)

    async def pending(self, request_id: str) -> JsonObject:
        """A request for an approval that waits for its answer; empty where there is none, or the server is lost."""
        try:
            waiting = (await self._http.get("/v1/approvals")).json()
        except (*self._failures, ValueError):
            return {}
        return next((each for each in waiting if each.get("id") == request_id), {})

    async def answer(self, request_id: str, *, granted: bool, reason: str) -> None:
        """Answer a request for an approval; without effect where another client was first, or the server is lost."""
        body: JsonObject = {"decision": "allow" if granted else "deny", "reason": reason}
        await self._sent(f"/v1/approvals/{request_id}?client={CLIENT}", body)

    async def cancel(self, run_id: str, code: str) -> None:
        """End a run, as by the signal of that code; without effect where it has ended, or the server is lost."""
        await self._sent(f"/v1/runs/{run_id}/cancel?as={code}", {})

    async def cancel_call(self, run_id: str, call_id: str) -> None:
        """End one call of a run; without effect where it has ended, or the server is lost."""
        await self._sent(f"/v1/runs/{run_id}/cancel?call={quote(call_id, safe='')}", {})

    async def _sent(self, path: str, body: JsonObject) -> None:
        try:
            await self._http.post(path, json=body)
        except self._failures:
            return  # the stream ends too, and reports it

    async def _piece(self, run_id: str, after: int) -> AsyncGenerator[tuple[int, bytes], None]:
        query = {"events": "all", "after": str(after), "client": CLIENT}
        headers = {"accept": "text/event-stream"}
        async with self._http.stream("GET", f"/v1/runs/{run_id}/events", params=query, headers=headers) as answer:
            if answer.status_code >= REDIRECTS:
                await answer.aread()
                _checked(answer)
            seq = after
            async for text in answer.aiter_lines():
                name, _, value = text.partition(": ")
                if name == "id":
                    seq = int(value)
                elif name == "data":
                    yield seq, value.encode("ascii") + b"\n"

    def _lost(self, error: BaseException) -> ServerLost:
        why = str(error) or type(error).__name__
        return ServerLost(f"the server at {self._url} does not answer: {why}", hint="Does finclaw serve run there?")


def _checked(answer: object) -> JsonObject:
    """The body of an answer.

    Raises:
        FinclawError: it is an error.
    """
    status: int = getattr(answer, "status_code", 0)
    try:
        body = answer.json()  # type: ignore[attr-defined]
    except ValueError:
        body = None
    if status < REDIRECTS and isinstance(body, dict):
        return body
    given = body.get("error") if isinstance(body, dict) else None
    error = given if isinstance(given, dict) else {}
    message = clean(str(error.get("message") or f"the server answers with status {status}, and is no finclaw serve"))
    hint = clean(str(error["hint"])) if error.get("hint") else None
    code = str(error.get("code") or "server_refused")
    raise _kind(status, code)(message, hint=hint, code=code)


def _kind(status: int, code: str) -> type[FinclawError]:
    """The kind of an error that a server answers, with the exit code that the same has without a server."""
    if status >= FAILED:
        return FinclawError
    if code == SessionBusy.code:
        return SessionBusy
    return CredentialsError if status in {UNAUTHORIZED, UNPROCESSABLE} else UsageError
