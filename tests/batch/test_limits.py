"""The limits that headers name, and the names of buckets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.batch.limits import Reported, family, fingerprint, reported_limits
from finclaw_cli.providers.config import ProviderConfig

ANTHROPIC = {
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "49",
    "anthropic-ratelimit-input-tokens-limit": "30000",
    "anthropic-ratelimit-input-tokens-remaining": "29000",
    "anthropic-ratelimit-output-tokens-limit": "8000",
}
OPENAI = {
    "x-ratelimit-limit-requests": "500",
    "x-ratelimit-remaining-requests": "499",
    "x-ratelimit-limit-tokens": "30000",
    "x-ratelimit-remaining-tokens": "29000",
}


def test_the_headers_of_anthropic_name_three_limits() -> None:
    assert list(reported_limits(ANTHROPIC)) == [
        Reported(kind="requests", most=50, left=49),
        Reported(kind="input", most=30_000, left=29_000),
        Reported(kind="output", most=8_000, left=None),
    ]


@pytest.mark.parametrize("prefix", ["", "llm_provider-"])
def test_the_headers_of_openai_name_two_limits_also_behind_a_gateway(prefix: str) -> None:
    assert list(reported_limits({prefix + name: value for name, value in OPENAI.items()})) == [
        Reported(kind="requests", most=500, left=499),
        Reported(kind="tokens", most=30_000, left=29_000),
    ]


@given(st.dictionaries(st.sampled_from([*ANTHROPIC, *OPENAI]), st.text()))
def test_headers_without_a_number_name_nothing(headers: dict[str, str]) -> None:
    for each in reported_limits(headers):
        assert 0 < each.most < 10**12


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4"),
        ("claude-sonnet-4-5", "claude-sonnet-4"),
        ("claude-opus-4-1", "claude-opus-4"),
        ("gpt-5.2-2026-01-15", "gpt-5.2"),
        ("gpt-5.2-mini", "gpt-5.2-mini"),
        ("anthropic/claude-haiku-4-5", "claude-haiku-4"),
        ("llama3.3", "llama3.3"),
    ],
)
def test_models_of_one_family_share_limits(model: str, name: str) -> None:
    assert family(model) == name


def test_a_fingerprint_tells_keys_apart_and_shows_none() -> None:
    one, other = (fingerprint("acme", ProviderConfig(api_key=key)) for key in ("secret-one", "secret-two"))
    assert one != other
    assert "secret" not in one
