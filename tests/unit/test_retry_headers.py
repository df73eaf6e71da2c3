"""The headers that name the time of the next attempt."""

from __future__ import annotations

import pytest

from finclaw_cli.providers.retry_after import MAX_VALUE_CHARS, retry_after_s


@pytest.mark.parametrize(("chars", "seconds"), [(MAX_VALUE_CHARS, 7.0), (MAX_VALUE_CHARS + 1, None)])
def test_a_value_counts_up_to_its_longest_length(chars: int, seconds: float | None):
    assert retry_after_s({"Retry-After": "7".rjust(chars)}) == seconds


def test_milliseconds_come_before_seconds():
    assert retry_after_s({"retry-after": "9", "retry-after-ms": "1500"}) == 1.5


def test_the_latest_reset_counts_of_the_limits_that_are_used_up():
    headers = {
        "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2s",
        "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s",
        "x-ratelimit-remaining-images": "3", "x-ratelimit-reset-images": "1h0m",
    }  # fmt: skip
    assert retry_after_s(headers) == 360
