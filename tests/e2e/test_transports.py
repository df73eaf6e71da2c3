"""Whoever runs finclaw cannot tell by which transport its words came: over HTTP directly, or through an SDK."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.either_way import NOBODY, ask, each_dialect, each_transport, error
from tests.e2e.harness import Finclaw
from tests.e2e.over import over
from tests.wire.server import threaded
from tests.wire.transports import TRANSPORTS

pytestmark = pytest.mark.by_agent

SLOW_SDK = """
import sys, time

class Slow:
    def find_spec(self, name, path, target=None):
        if name == "anthropic":
            time.sleep(3)

sys.meta_path.insert(0, Slow())
"""
OF_ONE_RUN = {"ts", "run_id", "session_id", "duration_ms", "first_chunk_ms", "transcript"}


def lasting(value: Any) -> Any:
    """What two runs of the same conversation share: all but times and ids."""
    if isinstance(value, dict):
        return {key: lasting(part) for key, part in value.items() if key not in OF_ONE_RUN}
    return [lasting(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("dialect", [Anthropic(), Chat(), Responses()], ids=["anthropic", "chat", "responses"])
def test_a_run_asks_and_tells_the_same(finclaw: Finclaw, dialect: Dialect) -> None:
    replies = (dialect.calls(("call_1", "price", {"symbol": "ACME"})), dialect.text("42.10, 한국어"))
    with threaded(*replies, *replies) as server:
        direct, sdk = [ask(finclaw, transport, dialect, server.url) for transport in TRANSPORTS]
    assert lasting(direct.lines) == lasting(sdk.lines)
    assert (direct.result["text"], direct.result["turns"], direct.code) == ("42.10, 한국어", 2, 0)
    assert [seen.raw for seen in server.requests[:2]] == [seen.raw for seen in server.requests[2:]]
    wanted = ("authorization", "accept", "accept-encoding", "content-type", "anthropic-version")
    assert len({json.dumps([seen.headers.get(name) for name in wanted]) for seen in server.requests}) == 1


@each_dialect
@each_transport
def test_a_reader_that_has_seen_enough_ends_the_run(finclaw: Finclaw, transport: Any, dialect: Dialect) -> None:
    with threaded(dialect.text("word " * 50_000)) as server:
        base = server.url if isinstance(dialect, Anthropic) else f"{server.url}/v1"
        command = f"$FINCLAW run --stream -m {dialect.model} --base-url {base} x | head -c 4; echo ${{PIPESTATUS[0]}}"
        ran = over(transport, finclaw).shell(command)
    assert (ran.stdout, ran.stderr) == (b"word141\n", b"finclaw: the reader of stdout went away\n")


@each_dialect
@each_transport
def test_all_turns_of_a_run_share_a_connection(finclaw: Finclaw, transport: Any, dialect: Dialect) -> None:
    turns = (dialect.calls(("call_1", "price", {"symbol": "ACME"})), dialect.text("42.10"))
    with threaded(*(replace(turn, keep_alive=True) for turn in turns)) as server:
        assert ask(finclaw, transport, dialect, server.url).code == 0
    assert (len(server.requests), server.connections) == (2, 1)


# --- time ---


def test_the_time_that_an_sdk_takes_to_load_is_nobodys_silence(finclaw: Finclaw, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SLOW_SDK)
    with threaded(Anthropic().text("hi")) as server:
        ran = over("sdk", finclaw)(
            *("run", "-m", Anthropic.model, "--base-url", server.url, "--retry-attempts", "1"),
            *("--first-chunk-timeout", "2", "x"),
            env={"PYTHONPATH": str(tmp_path)},
        )
    assert (ran.text, ran.code) == ("hi\n", 0)


# --- addresses ---


@each_dialect
@each_transport
@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6")
def test_an_address_may_be_ipv6(finclaw: Finclaw, transport: Any, dialect: Dialect) -> None:
    with threaded(dialect.text("hi"), host="::1") as server:
        assert ask(finclaw, transport, dialect, server.url).code == 0


@each_dialect
@pytest.mark.parametrize("url", [NOBODY, "http://[::1]:9", "http://nowhere.invalid", "https://nowhere.invalid"])
def test_a_server_that_cannot_be_reached_is_a_connection_that_failed(
    finclaw: Finclaw, dialect: Dialect, url: str
) -> None:
    told = error(finclaw, dialect, url)
    assert told["code"] == "connect_failed"
    assert "--base-url" in told["hint"]
