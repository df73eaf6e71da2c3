"""Batch APIs of providers: many requests in one file, at half the price, answered within a day.

A batch is made under a name of the caller's. Creation is not idempotent: where its answer did not come, `find` looks
for what was made.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Sequence
from datetime import datetime
from typing import Final, Protocol, runtime_checkable

from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.record import record

EXPIRED: Final = "batch_expired"
"""The code of the error of a request that was not answered within the batch's time."""
CANCELLED: Final = "batch_cancelled"
MISSING: Final = "batch_result_missing"
UNKNOWN_BATCH: Final = "unknown_remote_batch"
MOST_BYTES: Final = 150 * 1024 * 1024
"""The largest batch: below what either provider takes."""


@record(kw_only=True)
class BatchRequest:
    """A request of a batch."""

    custom_id: str
    """1 to 64 letters, digits, `-` and `_`; unique in the batch."""
    body: bytes
    """The body of the same request outside of a batch, without streaming; JSON."""


@record(kw_only=True)
class BatchResult:
    """What became of one request: an answer, or an error."""

    custom_id: str
    body: JsonObject | None = None
    """The body of the answer, as it is outside of a batch."""
    error: ProviderError | None = None


@record(kw_only=True)
class Made:
    """Whether a batch was made."""

    id: str | None = None
    """The provider's id of the batch; None where it was not found."""
    is_certain: bool = True
    """Whether one that was not found is not there: a batch that runs may not show its name before its end."""


@record(kw_only=True)
class BatchState:
    """How far a batch is."""

    has_ended: bool
    answered: int
    failed: ProviderError | None = None
    """Why nothing of it was done, where it was refused as a whole after it was made."""


class BatchApi(Protocol):
    """The batch API of one provider. Every method raises `ProviderError`, and repeats nothing by itself."""

    async def create(self, name: str, requests: Sequence[BatchRequest]) -> str:
        """Make a batch; its id. A name has up to 24 characters, and begins each `custom_id`."""
        ...

    async def find(self, name: str, requests: int, since: datetime, others: Collection[str] = ()) -> Made:
        """Look for the batch of that name and size, made at that time (UTC) or later; it is none of these others."""
        ...

    async def state(self, batch: str) -> BatchState:
        """How far a batch is."""
        ...

    def results(self, batch: str) -> AsyncGenerator[BatchResult, None]:
        """The results of a batch that has ended, in any order."""
        ...

    async def cancel(self, batch: str) -> None:
        """Let a batch end; what was answered by then has its result."""
        ...

    async def aclose(self) -> None: ...


@runtime_checkable
class Batched(Protocol):
    """A provider whose requests can also be made in batches."""

    def batch_api(self) -> BatchApi:
        """The way to its batches, which the caller closes."""
        ...

    def body(self, request: ModelRequest) -> JsonObject:
        """The body of a request in a batch."""
        ...

    def answer(self, model: str, body: JsonObject) -> Sequence[StreamChunk]:
        """The chunks of an answer.

        Raises:
            ProviderError: it is not whole.
        """
        ...

    def adapted(self, request: ModelRequest, sent: JsonObject, error: ProviderError) -> JsonObject:
        """The body to send in place of one that was refused; the same where the refusal teaches nothing."""
        ...


def expired(provider: str) -> ProviderError:
    """A request that was not answered in the batch's time, and is not billed."""
    message = f"{provider}: the batch ended before this request was answered"
    return ProviderError(message, reason="overloaded", code=EXPIRED, provider=provider)


def cancelled(provider: str) -> ProviderError:
    """A request of a batch that was cancelled."""
    message = f"{provider}: the batch was cancelled before this request was answered"
    return ProviderError(message, reason="bad_request", code=CANCELLED, provider=provider)


def missing(provider: str) -> ProviderError:
    """A request without a result in a batch that has ended."""
    message = f"{provider}: the batch has no result of this request"
    return ProviderError(message, reason="server_error", code=MISSING, provider=provider)
