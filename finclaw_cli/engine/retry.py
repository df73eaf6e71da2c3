"""One policy for trying again; the SDKs' own retries are off, so that attempts do not multiply."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

from finclaw_cli.core.clock import Clock
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.record import record

Result = TypeVar("Result")
OnRetry = Callable[[ProviderError, float], Awaitable[None]]


@record(kw_only=True)
class RetryPolicy:
    """How often and how patiently; times in seconds."""

    attempts: int = 3
    base_s: float = 1.0
    cap_s: float = 30.0
    jitter: float = 0.2
    """The share by which a delay varies, up or down, so that clients do not come back in step."""
    max_retry_after_s: float = 120.0
    """A server that asks for more patience than this is not waited for."""

    def delay_s(self, failures: int, error: ProviderError) -> float:
        """How long to wait after the given number of failures: never less than the server asked for."""
        backoff = min(self.cap_s, self.base_s * 2.0 ** (failures - 1))
        spread = backoff * random.uniform(1 - self.jitter, 1 + self.jitter)  # noqa: S311 - not a secret
        return max(spread, error.retry_after_s or 0.0)

    def accepts(self, error: BaseException) -> bool:
        if not isinstance(error, ProviderError) or not error.retryable:
            return False
        return (error.retry_after_s or 0.0) <= self.max_retry_after_s


async def retried(
    work: Callable[[], Awaitable[Result]],
    failed: ProviderError,
    *,
    policy: RetryPolicy,
    clock: Clock,
    on_retry: OnRetry,
    may_retry: Callable[[], bool],
) -> Result:
    """Do work that has failed again, as long as it fails in a way that can pass.

    Args:
        work: makes one attempt.
        failed: how the first attempt failed.
        policy: how often and when.
        clock: waits.
        on_retry: awaited before each wait, with the error and the delay in seconds.
        may_retry: whether another attempt is allowed after all.

    Raises:
        ProviderError: the last attempt's error.
    """
    if not (policy.accepts(failed) and may_retry()):
        raise failed
    # Only now: most requests succeed, and do without the import.
    from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

    first = [failed]

    def error_of(state: RetryCallState) -> ProviderError:
        # Nothing else passes `accepts`, so nothing else is ever waited for.
        return cast("ProviderError", state.outcome.exception() if state.outcome else None)

    def wait(state: RetryCallState) -> float:
        return policy.delay_s(state.attempt_number, error_of(state))

    async def before_sleep(state: RetryCallState) -> None:
        await on_retry(error_of(state), state.upcoming_sleep)

    async def attempt() -> Result:
        if first:
            raise first.pop()
        return await work()

    retrying = AsyncRetrying(
        stop=stop_after_attempt(policy.attempts),
        wait=wait,
        retry=retry_if_exception(lambda error: policy.accepts(error) and may_retry()),
        sleep=clock.sleep,
        before_sleep=before_sleep,
        reraise=True,
    )
    return await retrying(attempt)
