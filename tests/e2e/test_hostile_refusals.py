"""A key that is refused is refused once, whatever else the answer holds, by either transport and behind a proxy."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import Any

import pytest

from tests.e2e.dialects import Anthropic, Dialect
from tests.e2e.either_way import each_dialect, each_transport
from tests.e2e.harness import Finclaw
from tests.e2e.over import over
from tests.wire.server import Reply, threaded

pytestmark = pytest.mark.by_agent

REPLIES = {
    "a date that no calendar has": Reply(headers={"Retry-After": "Fri, 20 Nov 2026 12:00:30 +99999999999999"}),
    "an infinite reset": Reply(
        headers={"x-ratelimit-reset-tokens": "9" * 400 + "h", "x-ratelimit-remaining-tokens": "0"}
    ),
    "the charset idna": Reply(body=b"no", content_type="text/plain; charset=idna"),
    "the charset punycode": Reply(body=b"no-" + b"a" * 1_000, content_type="text/plain; charset=punycode"),
    "codings inside each other": Reply(
        body=gzip.compress(gzip.compress(b"no")), headers={"Content-Encoding": "gzip, gzip"}
    ),
    "a list in a list": Reply(body=b"[" * 900 + b"]" * 900, content_type="application/json"),
}


@each_dialect
@each_transport
@pytest.mark.parametrize("proxied", [False, True], ids=["straight", "proxied"])
@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_a_refused_key_is_sent_once(
    finclaw: Finclaw, transport: Any, dialect: Dialect, proxied: bool, reply: Reply
) -> None:
    with threaded(replace(reply, status=401)) as server:
        host, env = ("http://api.example.test", {"HTTP_PROXY": server.url}) if proxied else (server.url, {})
        base = host if isinstance(dialect, Anthropic) else f"{host}/v1"
        ran = over(transport, finclaw)("run", "-o", "ndjson", "-m", dialect.model, "--base-url", base, "x", env=env)
        assert len(server.requests) == 1
    error = ran.result["error"]
    assert (error["status"], error["retryable"], ran.code) == (401, False, 3)
