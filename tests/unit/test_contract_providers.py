"""What a check finds in a provider: its facts, and the stream it gives."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from types import SimpleNamespace

import pytest

from finclaw_cli.sdk import (
    Done,
    ModelRequest,
    ProviderConfig,
    ProviderError,
    ProviderSpec,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
    hookimpl,
)
from finclaw_cli.testing.contract import Problem, check_plugin, check_provider


def codes(found: list[Problem]) -> list[str]:
    return sorted(problem.code for problem in found)


class Streams:
    """A provider that says what it was given to say."""

    name = "acme"

    def __init__(self, *chunks: StreamChunk, fails: BaseException | None = None) -> None:
        self._chunks = chunks
        self._fails = fails
        self.closed = False

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        for chunk in self._chunks:
            yield chunk
        if self._fails is not None:
            raise self._fails

    async def aclose(self) -> None:
        self.closed = True


START, DELTA, END = ToolUseStart("c1", "get"), ToolInputDelta("c1", "{}"), ToolUseEnd("c1")
DONE, DONE_CALLS = Done(stop_reason="end_turn"), Done(stop_reason="tool_use")


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ((TextDelta("Hi"), DONE), []),
        ((START, DELTA, END, DONE_CALLS), []),
        ((START, ToolUseStart("c2", "b"), DELTA, ToolUseEnd("c2"), END, DONE_CALLS), []),
        ((), ["done_missing"]),
        ((TextDelta("Hi"),), ["done_missing"]),
        ((DONE, TextDelta("Hi")), ["done_not_last"]),
        ((DONE, DONE), ["done_not_last"]),
        ((START, END, DONE), ["calls_dropped"]),
        ((START, DONE_CALLS), ["call_open"]),
        ((START, END, END, DONE_CALLS), ["call_order"]),
        ((START, END, DELTA, DONE_CALLS), ["call_order"]),
        ((DELTA, DONE), ["call_order"]),
        ((START, END, START, END, DONE_CALLS), ["call_id"]),
        ((ToolUseStart("c1", ""), END, DONE_CALLS), ["call_name"]),
    ],
)
def test_streams(chunks: tuple[StreamChunk, ...], expected: list[str]):
    provider = Streams(*chunks)
    assert codes(check_provider(provider)) == expected
    assert provider.closed


def test_a_provider_raises_provider_errors_alone():
    failed = check_provider(Streams(fails=ProviderError("no key", reason="auth")))
    assert [problem.message for problem in failed] == ["the request failed: auth: no key"]
    assert codes(check_provider(Streams(fails=KeyError("choices")))) == ["raised"]


def test_the_facts_of_a_provider():
    def offering(spec: ProviderSpec) -> object:
        @hookimpl
        def finclaw_providers() -> list[ProviderSpec]:
            return [spec]

        return SimpleNamespace(finclaw_providers=finclaw_providers)

    def cannot(config: ProviderConfig) -> Streams:
        raise RuntimeError(f"no network with {config!r}")

    good = ProviderSpec(name="acme", create=lambda config: Streams(DONE))
    assert check_plugin(offering(good)) == []
    assert check_provider(good) == []
    assert codes(check_plugin(offering(ProviderSpec(name="acme", create=cannot)))) == ["create"]
    misnamed = ProviderSpec(name="Other One", create=lambda config: Streams(DONE))
    assert codes(check_plugin(offering(misnamed))) == ["name", "name"]
