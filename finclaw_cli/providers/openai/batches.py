"""OpenAI's Batch API: a file of requests is uploaded, and a batch made of it, which carries our name in its metadata.

https://developers.openai.com/api/docs/guides/batch
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Final

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.providers.batch_http import BatchHttp
from finclaw_cli.providers.batches import BatchRequest, BatchResult, BatchState, Made, cancelled, expired
from finclaw_cli.providers.failures import classify
from finclaw_cli.providers.fields import count, record, records, text

_BATCHES, _FILES = "/batches", "/files"
_PAGE = "100"
_NAME: Final = "finclaw_round"
_WINDOW = "24h"
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
_INVALID = 400
_SUCCESS = range(200, 300)
_ENDINGS = {"batch_expired": expired, "batch_cancelled": cancelled}


class OpenAIBatches:
    """A `BatchApi` over batches of one endpoint, such as `/v1/responses`."""

    def __init__(self, provider: str, http: BatchHttp, endpoint: str) -> None:
        self._provider = provider
        self._http = http
        self._endpoint = endpoint

    async def create(self, name: str, requests: Sequence[BatchRequest]) -> str:
        file = await self._uploaded(f"{name}.jsonl", b"".join(self._line(each) for each in requests))
        wanted = {
            "input_file_id": file, "endpoint": self._endpoint, "completion_window": _WINDOW, "metadata": {_NAME: name},
        }  # fmt: skip
        made = await self._http.post(_BATCHES, json.dumps(wanted).encode())
        return text(made.get("id"))

    async def find(
        self,
        name: str,
        requests: int,  # noqa: ARG002 - the metadata is enough
        since: datetime,
        others: Collection[str] = (),  # noqa: ARG002
    ) -> Made:
        after: dict[str, str] = {}
        while True:
            page = await self._http.get(_BATCHES, limit=_PAGE, **after)
            batches = records(page.get("data"))
            for batch in batches:
                if record(batch.get("metadata")).get(_NAME) == name:
                    return Made(id=text(batch.get("id")))
            is_past = any((count(batch.get("created_at")) or 0) < since.timestamp() for batch in batches)
            if is_past or not (page.get("has_more") and batches):
                return Made()
            after = {"after": text(batches[-1].get("id"))}

    async def state(self, batch: str) -> BatchState:
        found = await self._http.get(f"{_BATCHES}/{batch}")
        counts = record(found.get("request_counts"))
        answered = (count(counts.get("completed")) or 0) + (count(counts.get("failed")) or 0)
        status, failed = text(found.get("status")), None
        if status == "failed":
            first = next(iter(records(record(found.get("errors")).get("data"))), {})
            failed = classify(self._provider, {"error": first}, status=_INVALID)
        return BatchState(has_ended=status in _ENDED, answered=answered, failed=failed)

    async def results(self, batch: str) -> AsyncGenerator[BatchResult, None]:
        found = await self._http.get(f"{_BATCHES}/{batch}")
        for file in (text(found.get("output_file_id")), text(found.get("error_file_id"))):
            if not file:
                continue
            async with aclosing(self._http.lines(f"{_FILES}/{file}/content")) as lines:
                async for line in lines:
                    yield self._result(line)

    async def cancel(self, batch: str) -> None:
        await self._http.post(f"{_BATCHES}/{batch}/cancel", b"{}")

    async def aclose(self) -> None:
        await self._http.aclose()

    def _line(self, request: BatchRequest) -> bytes:
        return b'{"custom_id":"%b","method":"POST","url":"%b","body":%b}\n' % (
            request.custom_id.encode(), self._endpoint.encode(), request.body,
        )  # fmt: skip

    async def _uploaded(self, name: str, content: bytes) -> str:
        """Upload a file; its id. One that no batch was made of is of no consequence."""
        boundary = secrets.token_hex(16)
        head = (
            f'--{boundary}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
            f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n'
            "content-type: application/jsonl\r\n\r\n"
        )
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        made = await self._http.post(_FILES, body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        return text(made.get("id"))

    def _result(self, line: JsonObject) -> BatchResult:
        custom_id, response, error = text(line.get("custom_id")), record(line.get("response")), line.get("error")
        status = count(response.get("status_code"))
        if status in _SUCCESS:
            return BatchResult(custom_id=custom_id, body=record(response.get("body")))
        if (known := _ENDINGS.get(text(record(error).get("code")))) is not None:
            return BatchResult(custom_id=custom_id, error=known(self._provider))
        reported = response.get("body") or {"error": error}
        return BatchResult(custom_id=custom_id, error=classify(self._provider, reported, status=status))
