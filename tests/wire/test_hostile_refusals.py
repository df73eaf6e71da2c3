"""A refusal is classified by its status, whatever its headers and its body hold, and reading it costs little."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.anthropic.adapter import create as create_anthropic
from finclaw_cli.providers.failures import classify
from finclaw_cli.providers.openai.chat import create_chat
from finclaw_cli.providers.retry_after import LONGEST_WAIT_S, retry_after_s
from tests.wire.openai_turns import ask
from tests.wire.server import Reply, VectorServer
from tests.wire.transports import Configure, Way

WORDS = b"no such model"
each_provider = pytest.mark.parametrize("create", [create_anthropic, create_chat], ids=["anthropic", "chat"])

FOREIGN_DATES = (
    "Fri, 31 Dec 99999 23:59:59 GMT",
    "Fri, 20 Nov 2026 12:00:30 +99999999999999",
    "Fri, 20 Nov 9" + "9" * 30,
)
HEADERS: dict[str, dict[str, str]] = {
    **{f"a date of the far future {at}": {"Retry-After": date} for at, date in enumerate(FOREIGN_DATES)},
    "an infinite wait": {"Retry-After": "1e400", "retry-after-ms": "inf"},
    "an infinite reset": {"x-ratelimit-reset-tokens": "9" * 400 + "h", "x-ratelimit-remaining-tokens": "0"},
    "digits without end": {"x-ratelimit-reset-tokens": "1" * 20_000, "x-ratelimit-remaining-tokens": "0"},
    "bytes that are no text": {"Retry-After": "\xff\xfe", "request-id": "\x80"},
    "a coding that does not exist": {"Content-Encoding": "rot13"},
    **{
        f"the charset {name}": {"Content-Type": f"text/plain; charset={name}"}
        for name in ("idna", "punycode", "undefined", "unicode_escape", "rot13", "zip", "utf-7", "x" * 10_000, "..")
    },
}


@pytest.fixture(params=get_args(Way))
def way(request: pytest.FixtureRequest) -> Way:
    return request.param  # type: ignore[no-any-return]


async def refusal(create: type[Provider], reply: Reply, config: Configure) -> ProviderError:
    async with VectorServer(reply) as server:
        provider = create(config(api_key="k", base_url=server.url))  # type: ignore[call-arg]
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        await provider.aclose()
    return caught.value


@each_provider
@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
async def test_no_header_changes_what_a_status_means(
    create: type[Provider], headers: Mapping[str, str], config: Configure
) -> None:
    kind = headers.get("Content-Type", "text/plain")
    others = {name: value for name, value in headers.items() if name != "Content-Type"}
    error = await refusal(create, Reply(status=401, body=WORDS, headers=others, content_type=kind), config)
    assert (error.reason, error.status, error.retryable) == ("auth", 401, False)
    assert error.retry_after_s is None or error.retry_after_s <= LONGEST_WAIT_S


@each_provider
@pytest.mark.parametrize("charset", ["punycode", "idna", "utf-7", "unicode_escape", "hz", "iso2022_jp_3"])
async def test_a_charset_that_is_not_for_text_of_the_web_is_read_as_utf_8(
    create: type[Provider], charset: str, config: Configure
) -> None:
    words = "no such model: 모델-+AGE-"
    reply = Reply(status=404, body=words.encode(), content_type=f"text/plain; charset={charset}")
    assert words in (await refusal(create, reply, config)).message


@each_provider
@pytest.mark.parametrize("coding", ["gzip, gzip", "gzip,deflate,gzip", "br", "zstd", "x-gzip"])
async def test_a_body_in_other_codings_than_one_is_not_read(
    create: type[Provider], coding: str, config: Configure
) -> None:
    body = WORDS
    for name in reversed(coding.split(",")):
        body = zlib.compress(body) if name == "deflate" else gzip.compress(body)
    reply = Reply(status=500, body=body, headers={"Content-Encoding": coding}, content_type="text/plain")
    error = await refusal(create, reply, config)
    assert (error.reason, error.status) == ("server_error", 500)
    assert "failed with HTTP status 500" in error.message


@each_provider
async def test_a_body_whose_coding_breaks_off_is_read_as_far_as_it_goes(
    create: type[Provider], config: Configure
) -> None:
    body = gzip.compress(WORDS)[:-4]
    reply = Reply(status=404, body=body, headers={"Content-Encoding": "gzip"}, content_type="text/plain")
    assert WORDS.decode() in (await refusal(create, reply, config)).message


DEEP = 900
BODIES = {
    "a list in a list": "[" * DEEP + "]" * DEEP,
    "a detail in a detail": '{"detail":' * DEEP + '"x"' + "}" * DEEP,
    "an error with a deep place": '{"detail":[{"loc":[' + "[" * DEEP + "]" * DEEP + '],"msg":"no"}]}',
    "a long number": '{"error":{"code":' + "1" * 4_000 + "}}",
    "no text": '{"error":{"message":{"message":7},"type":["x"],"code":{}}}',
    "a word without end": json.dumps({"error": {"type": "\x90" * 200_000 + "\x1b"}}),
}


@each_provider
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
async def test_no_body_changes_what_a_status_means(create: type[Provider], body: str, config: Configure) -> None:
    error = await refusal(create, Reply(status=401, body=body.encode(), content_type="application/json"), config)
    assert (error.reason, error.status) == ("auth", 401)


# --- without a socket ---

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
NAMES = (
    *("retry-after", "retry-after-ms", "llm_provider-retry-after", "x-ratelimit-reset-tokens"),
    *("anthropic-ratelimit-input-tokens-reset", "x-ratelimit-remaining-tokens", "request-id", "x-request-id"),
)
NUMBERS = st.from_regex(r"\A[0-9.e+-]{1,12}(ms|h|m|s)?\Z")
DATES = st.from_regex(
    r"\A(Fri, )?[0-9]{1,3} (Nov|Dec) [0-9]{1,12} [0-9]{1,3}:[0-9]{1,3}:[0-9]{1,3}( GMT| [+-][0-9]{1,12})?\Z"
)
MOMENTS = st.from_regex(r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})?\Z")


@given(st.dictionaries(st.sampled_from(NAMES), st.text() | NUMBERS | DATES | MOMENTS))
def test_the_wait_that_headers_ask_for_is_none_or_a_bounded_number(headers: dict[str, str]) -> None:
    used_up = {"anthropic-ratelimit-input-tokens-remaining": "0", "x-ratelimit-remaining-tokens": "0", **headers}
    wait = retry_after_s(used_up, now=NOW)
    assert wait is None or 0 <= wait <= LONGEST_WAIT_S


def test_a_request_id_is_one_short_line() -> None:
    error = classify("openai", {}, status=400, headers={"request-id": "req\x1b[31m\n" + "x" * 100_000})
    assert error.request_id is not None
    assert len(error.request_id) <= 200
    assert error.request_id.isprintable()
