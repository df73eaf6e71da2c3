"""Anthropic's Message Batches. A batch has no mark of its own: the custom ids of its results begin with its name.

https://platform.claude.com/docs/en/api/messages/batches
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from datetime import datetime

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.providers.batch_http import BatchHttp
from finclaw_cli.providers.batches import BatchRequest, BatchResult, BatchState, Made, cancelled, expired
from finclaw_cli.providers.failures import classify
from finclaw_cli.providers.fields import count, record, records, text

_PATH = "/v1/messages/batches"
_PAGE = "100"


class AnthropicBatches:
    """A `BatchApi` over Message Batches."""

    def __init__(self, provider: str, http: BatchHttp) -> None:
        self._provider = provider
        self._http = http

    async def create(self, name: str, requests: Sequence[BatchRequest]) -> str:  # noqa: ARG002 - the ids have it
        entries = (b'{"custom_id":"%b","params":%b}' % (each.custom_id.encode(), each.body) for each in requests)
        made = await self._http.post(_PATH, b'{"requests":[' + b",".join(entries) + b"]}")
        return text(made.get("id"))

    async def find(self, name: str, requests: int, since: datetime, others: Collection[str] = ()) -> Made:
        is_certain = True
        async for batch in self._since(since):
            size = sum(count(each) or 0 for each in record(batch.get("request_counts")).values())
            if size != requests or batch.get("id") in others:
                continue
            if batch.get("processing_status") != "ended":
                is_certain = False
            elif await self._is_named(text(batch.get("id")), name):
                return Made(id=text(batch.get("id")))
        return Made(is_certain=is_certain)

    async def state(self, batch: str) -> BatchState:
        found = await self._http.get(f"{_PATH}/{batch}")
        counts = record(found.get("request_counts"))
        answered = sum(count(number) or 0 for state, number in counts.items() if state != "processing")
        return BatchState(has_ended=found.get("processing_status") == "ended", answered=answered)

    async def results(self, batch: str) -> AsyncGenerator[BatchResult, None]:
        async with aclosing(self._http.lines(f"{_PATH}/{batch}/results")) as lines:
            async for line in lines:
                yield self._result(text(line.get("custom_id")), record(line.get("result")))

    async def cancel(self, batch: str) -> None:
        await self._http.post(f"{_PATH}/{batch}/cancel", b"{}")

    async def aclose(self) -> None:
        await self._http.aclose()

    async def _since(self, since: datetime) -> AsyncGenerator[JsonObject, None]:
        """The batches made since then, the newest first."""
        after: dict[str, str] = {}
        while True:
            page = await self._http.get(_PATH, limit=_PAGE, **after)
            batches = records(page.get("data"))
            for batch in batches:
                if _made_at(batch, since) < since:
                    return
                yield batch
            if not (page.get("has_more") and batches):
                return
            after = {"after_id": text(batches[-1].get("id"))}

    async def _is_named(self, batch: str, name: str) -> bool:
        async with aclosing(self._http.lines(f"{_PATH}/{batch}/results")) as lines:
            async for line in lines:
                if custom_id := text(line.get("custom_id")):
                    return custom_id.startswith(f"{name}-")
        return False

    def _result(self, custom_id: str, result: JsonObject) -> BatchResult:
        match result.get("type"):
            case "succeeded":
                return BatchResult(custom_id=custom_id, body=record(result.get("message")))
            case "expired":
                error: ProviderError = expired(self._provider)
            case "canceled":
                error = cancelled(self._provider)
            case _:
                error = classify(self._provider, record(result.get("error")))
        return BatchResult(custom_id=custom_id, error=error)


def _made_at(batch: JsonObject, unknown: datetime) -> datetime:
    try:
        return datetime.fromisoformat(text(batch.get("created_at")))
    except ValueError:
        return unknown
