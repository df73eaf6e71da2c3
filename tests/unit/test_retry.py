"""Trying again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import ProviderError, ProviderFailure
from finclaw_cli.engine.retry import RetryPolicy, retried
from tests.unit.clocks import FakeClock


def failing(reason: ProviderFailure, *, after: float | None = None) -> ProviderError:
    return ProviderError("sorry", reason=reason, retry_after_s=after)


class Work:
    """Fails with each error in turn, then succeeds."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.attempts = 0

    async def __call__(self) -> str:
        self.attempts += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


async def attempt(work: Work, clock: FakeClock, *, may_retry: bool = True, policy: RetryPolicy | None = None) -> str:
    async def told(error: ProviderError, delay_s: float) -> None:
        """Nobody listens."""

    try:
        return await work()
    except ProviderError as error:
        return await retried(
            work, error, policy=policy or RetryPolicy(), clock=clock, on_retry=told, may_retry=lambda: may_retry
        )


@pytest.mark.parametrize("reason", ["rate_limit", "overloaded", "server_error", "timeout", "connection"])
async def test_what_can_pass_is_tried_again(reason: ProviderFailure) -> None:
    work = Work(failing(reason), failing(reason))
    assert await attempt(work, FakeClock()) == "done"
    assert work.attempts == 3


@pytest.mark.parametrize("reason", ["auth", "quota", "bad_request", "context_exceeded", "refused"])
async def test_what_cannot_pass_is_not(reason: ProviderFailure) -> None:
    work = Work(failing(reason))
    with pytest.raises(ProviderError):
        await attempt(work, FakeClock())
    assert work.attempts == 1


async def test_after_three_attempts_the_last_error_stands() -> None:
    work = Work(*(failing("overloaded") for _ in range(9)))
    with pytest.raises(ProviderError):
        await attempt(work, FakeClock())
    assert work.attempts == 3


async def test_the_server_is_given_the_time_it_asks_for() -> None:
    clock = FakeClock()
    await attempt(Work(failing("rate_limit", after=17)), clock)
    assert clock.slept == [17]


async def test_a_server_that_asks_for_too_much_patience_is_left() -> None:
    clock = FakeClock()
    with pytest.raises(ProviderError):
        await attempt(Work(failing("rate_limit", after=3600)), clock)
    assert clock.slept == []


async def test_what_cannot_be_taken_back_is_not_tried_again() -> None:
    work = Work(failing("overloaded"))
    with pytest.raises(ProviderError):
        await attempt(work, FakeClock(), may_retry=False)
    assert work.attempts == 1


async def test_an_error_that_is_not_the_providers_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        await attempt(Work(ZeroDivisionError()), FakeClock())


@given(st.integers(1, 40))
def test_delays_grow_to_their_cap_and_vary_by_a_fifth(failures: int) -> None:
    policy = RetryPolicy()
    plain = min(30.0, 2.0 ** (failures - 1))
    assert 0.8 * plain <= policy.delay_s(failures, failing("overloaded")) <= 1.2 * plain
