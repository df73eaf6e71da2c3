"""`finclaw_cli.sdk.http`: one request, one whole response within limits, or one error without secrets."""

from __future__ import annotations

import gzip
import multiprocessing
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime
from pathlib import Path

import pytest

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.http import (
    HttpClient,
    HttpError,
    HttpResponse,
    NotSent,
    RateLimited,
    RequestLimit,
    is_allowed_address,
)
from tests.wire.server import Reply, VectorServer, json_reply, threaded

KEY = "key-0123456789abcdef"
NOWHERE = "http://127.0.0.1:1"


@contextmanager
def served(*replies: Reply) -> Iterator[tuple[VectorServer, HttpClient]]:
    with threaded(*replies) as server:
        yield server, HttpClient(service="Acme", addresses=(server.url,), secrets=(KEY,), timeout_s=5.0)


def answered(reply: Reply) -> HttpResponse:
    with served(reply) as (server, client):
        return client.get(f"{server.url}/x")


def refusal(reply: Reply, **changes: object) -> HttpError:
    with served(reply) as (server, client), pytest.raises(HttpError) as caught:
        replace(client, **changes).get(f"{server.url}/x?key={KEY}")  # type: ignore[arg-type]
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    return caught.value


def response(status: int = 200, content: bytes = b"{}", **headers: str) -> HttpResponse:
    named = {name.replace("_", "-"): value for name, value in {"content_type": "application/json", **headers}.items()}
    return HttpResponse(service="Acme", status=status, headers=named, content=content)


def test_a_response_has_status_headers_and_content() -> None:
    found = answered(json_reply({"price": 10.10}, status=404, headers={"X-Note": "none"}))
    assert (found.status, found.headers["x-note"], found.json()) == (404, "none", {"price": Decimal("10.1")})


def test_a_request_has_its_parameters_and_headers_and_asks_for_no_compression() -> None:
    with served(json_reply({})) as (server, client):
        replace(client, headers={"X-Key": KEY}).get(f"{server.url}/x", {"q": "a b"})
    seen = server.requests[0]
    assert (seen.method, seen.path) == ("GET", "/x?q=a+b")
    assert (seen.headers["x-key"], seen.headers["accept-encoding"]) == (KEY, "identity")


async def test_a_coroutine_sends_any_method_with_a_body() -> None:
    async with VectorServer(json_reply({"id": 1}, status=201)) as server:
        client = HttpClient(service="Acme", addresses=(server.url,))
        found = await client.request("POST", f"{server.url}/orders", json={"qty": "1"})
    assert (found.status, server.requests[0].method, server.bodies) == (201, "POST", [{"qty": "1"}])


async def test_a_coroutine_cannot_block_its_loop() -> None:
    with pytest.raises(RuntimeError, match="await request"):
        HttpClient(service="Acme", addresses=(NOWHERE,)).get(NOWHERE)


def test_a_secret_that_the_service_repeats_is_masked() -> None:
    found = answered(json_reply({"message": f"bad key {KEY}"}, status=400, headers={"X-Key": KEY}))
    assert found.json() == {"message": "bad key [key]"}
    assert found.headers["x-key"] == "[key]"


def test_a_redirect_is_not_followed() -> None:
    with served(Reply(status=302, headers={"Location": "/elsewhere"}), json_reply({})) as (server, client):
        found = client.get(f"{server.url}/x")
    assert len(server.requests) == 1
    with pytest.raises(HttpError, match=r"Acme redirects to another address, which is refused \(status 302\)"):
        found.check_status()


def test_proxies_of_the_environment_are_not_used_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, NOWHERE)
    with served(json_reply({})) as (server, client):
        assert replace(client, proxies=True).get(server.url).status == 200


def test_a_server_that_is_not_there_was_sent_nothing() -> None:
    with pytest.raises(NotSent, match=r"NO_DATA: Acme could not be reached \(ConnectError\)") as caught:
        HttpClient(service="Acme", addresses=(NOWHERE,)).get(NOWHERE)
    assert caught.value.outage


@pytest.mark.parametrize("url", ["{}@evil.example/", "http://evil.example/", "{}0/", "//[", "/x"])
def test_an_address_of_another_host_is_not_asked(url: str) -> None:
    with served(json_reply({})) as (server, client), pytest.raises(HttpError):
        client.get(url.format(server.url))
    assert server.connections == 0


@pytest.mark.parametrize("ending", ["cut", "reset"])
def test_a_response_that_breaks_off_is_none(ending: str) -> None:
    error = refusal(Reply(body=b"{}", framing="chunked", ending=ending))  # type: ignore[arg-type]
    assert "gave no whole answer (" in str(error)
    assert not isinstance(error, NotSent)


def test_the_whole_exchange_has_one_time_limit() -> None:
    dripping = Reply(body=b"x" * 1_000, split="bytes", delay_s=0.05)
    assert "gave no whole answer within 0.2 s" in str(refusal(dripping, timeout_s=0.2))


def test_a_response_that_is_too_large_is_given_up() -> None:
    assert "more than 99 bytes" in str(refusal(Reply(body=b"x" * 100), max_bytes=99))
    assert "more than 99 bytes" in str(
        refusal(Reply(body=gzip.compress(b"x" * 100), headers={"Content-Encoding": "gzip"}), max_bytes=99)
    )


def test_a_compressed_response_is_read_once_and_not_twice() -> None:
    packed = gzip.compress(b"{}")
    assert answered(Reply(body=packed, headers={"Content-Encoding": "gzip"})).content == b"{}"
    stacked = answered(Reply(body=gzip.compress(packed), headers={"Content-Encoding": "gzip, gzip"}, status=503))
    assert (stacked.status, stacked.content) == (503, b"")
    with pytest.raises(HttpError, match="compressed its answer as 'gzip, gzip'"):
        stacked.check_coding()


@pytest.mark.parametrize(
    ("content", "kind", "why"),
    [
        (b"<html>", "text/html; charset=utf-8", "answered with an HTML page instead of data .status 200"),
        (b"{}", "", "answered with something instead of data"),
        (b'{"a": 1', "application/json", "damaged or cut off"),
        (b'{"a": NaN}', "application/json", "damaged or cut off"),
        (b"[" * 100_000, "application/json", "damaged or cut off"),
        (b"\xff", "application/json", "damaged or cut off"),
    ],
)
def test_what_is_no_json_is_an_error(content: bytes, kind: str, why: str) -> None:
    with pytest.raises(HttpError, match=why):
        response(content=content, content_type=kind).json()


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Text/JSON", "application/problem+json"])
def test_json_has_several_types(kind: str) -> None:
    assert response(content_type=kind).json() == {}


@pytest.mark.parametrize(
    ("status", "why"),
    [(500, "has an error of its own"), (403, "refuses to answer"), (404, "rejects the request"), (301, "redirects")],
)
def test_a_status_that_is_no_success_is_an_error_unless_it_is_allowed(status: int, why: str) -> None:
    with pytest.raises(HttpError, match=f"NO_DATA: Acme {why}.* .status {status}"):
        response(status).check_status()
    response(status).check_status({status})
    response(200).check_status()


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("17", 17, 17),
        ("0", 1, 1),
        ("99999999999", 3600, 3600),
        ("Fri, 01 Jan 2016 00:00:00 GMT", 1, 1),
        ("Fri, 20 Nov 2026 12:00:30 +99999999999999", 60, 60),
        ("-1", 60, 60),
        ("soon", 60, 60),
    ],
)
def test_retry_after_is_seconds_or_a_date_within_an_hour(header: str, least: int, most: int) -> None:
    assert least <= response(429, retry_after=header).retry_after_s() <= most


def test_retry_after_counts_to_the_moment_of_its_date() -> None:
    header = format_datetime(datetime.now(UTC) + timedelta(seconds=90))
    assert 30 <= response(429, retry_after=header).retry_after_s() <= 91


def test_a_service_that_asks_to_wait_is_left_alone_by_all_clients(tmp_path: Path) -> None:
    with served(json_reply({}, status=429, headers={"Retry-After": "17"})) as (server, client):
        first = replace(client, limit=RequestLimit("acme", tmp_path))
        error = first.rate_limited(first.get(server.url))
        assert "RATE_LIMITED: Acme refuses further requests for now; retry_after: 17 s" in str(error)
        second = replace(client, limit=RequestLimit("acme", tmp_path))
        with pytest.raises(RateLimited) as caught:
            second.get(server.url)
        assert caught.value.retry_after_s <= 17
        assert replace(client, limit=RequestLimit("other", tmp_path)).get(server.url).status == 429
    assert len(server.requests) == 2


async def test_a_coroutine_keeps_to_the_limit_as_well(tmp_path: Path) -> None:
    limit = RequestLimit("acme", tmp_path)
    limit.pause(17)
    with pytest.raises(RateLimited):
        await HttpClient(service="Acme", addresses=(NOWHERE,), limit=limit).request("GET", NOWHERE)


def reserved(home: Path, times: int) -> list[float]:
    return [RequestLimit("acme", home, 100.0).reserve() for _ in range(times)]


def test_each_request_gets_a_moment_of_its_own_in_all_threads_and_processes(tmp_path: Path) -> None:
    found: list[float] = []
    threads = [threading.Thread(target=lambda: found.extend(reserved(tmp_path, 3))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found += pool.apply(reserved, (tmp_path, 1))
    assert [round(wait_s, -2) for wait_s in sorted(found)] == [100.0 * number for number in range(10)]


def test_a_clock_that_was_wrong_blocks_no_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = RequestLimit("acme", tmp_path, 1.0)
    with monkeypatch.context() as patch:
        patch.setattr("time.time", lambda: 4e9)
        limit.reserve()
        limit.pause(60)
    assert limit.reserve() == 0.0


def test_a_limit_that_cannot_be_kept_sends_nothing(tmp_path: Path) -> None:
    (tmp_path / "acme-requests.db").write_bytes(b"not a database at all" * 100)
    with served(json_reply({})) as (server, client), pytest.raises(NotSent, match="it may be deleted"):
        replace(client, limit=RequestLimit("acme", tmp_path)).get(server.url)
    assert server.connections == 0


@pytest.mark.parametrize(
    ("url", "any_host", "listed"),
    [
        ("https://api.example.com", True, True),
        ("https://other.example.com", True, False),
        ("https://api.example.com/mirror", True, False),
        ("http://127.0.0.1:8080", True, True),
        ("http://[::1]:8080", True, True),
        ("http://api.example.com", False, False),
        ("https://key@api.example.com", False, False),
        ("https://api.example.com?x=1", False, False),
        ("https://api.example.com#x", False, False),
        ("https://api.example.com:x", False, False),
        ("https://", False, False),
        ("ftp://127.0.0.1", False, False),
        ("http://[::1", False, False),
    ],
)
def test_an_address_that_a_user_gave_is_https_or_this_machine(url: str, any_host: bool, listed: bool) -> None:
    assert (is_allowed_address(url), is_allowed_address(url, {"api.example.com"})) == (any_host, listed)


def test_the_error_can_leave_a_tool_as_it_is() -> None:
    assert issubclass(HttpError, ToolError)
