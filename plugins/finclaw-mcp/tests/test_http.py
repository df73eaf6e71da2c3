"""Servers at an address: they are called as programs are, their answers are bounded, and keys go to them alone."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Ran, Servers, ends
from web_server import answering, application, served

ECHO = "plain__echo"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def seen() -> list[dict[str, str]]:
    return []


@pytest.fixture
def url(seen: list[dict[str, str]]) -> Iterator[str]:
    with served(application(seen)) as address:
        yield address


def name(servers: Servers, url: str, **settings: str) -> None:
    lines = "\n".join(f"{key} = {value}" for key, value in settings.items())
    (servers.home / "config.toml").write_text(f"[mcp.servers.plain]\nurl = '{url}'\n{lines}\n")


def test_a_tool_at_an_address_is_called(servers: Servers, run: Ran, url: str):
    name(servers, url, hints="'believe'")
    assert servers("trust", "plain", "--yes").exit_code == 0
    assert ends(run((ECHO, {"text": "hello"}), tools=[ECHO])) == [("completed", '{"result": "hello"}')]


def test_a_bearer_token_comes_from_its_variable(
    servers: Servers, url: str, seen: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DESK_TOKEN", "k-1234567890")
    added = servers("add", "plain", "--url", url, "--bearer-env", "DESK_TOKEN")
    assert added.exit_code == 0, added.output
    assert servers("test", "plain").exit_code == 0
    assert {each.get("authorization") for each in seen} == {"Bearer k-1234567890"}
    assert "k-1234567890" not in (servers.home / "config.toml").read_text()


def test_a_server_that_wants_a_key_is_one_line(servers: Servers):
    with answering(401, JSON, b"{}") as (url, _):
        name(servers, url, startup_timeout_sec="5")
        found = servers("test", "plain")
    assert found.exit_code == 2
    assert "it answered 401" in found.stderr


def test_a_redirect_to_another_origin_is_not_followed(servers: Servers, seen: list[dict[str, str]], url: str):
    with answering(307, {"Location": url}, b"") as (first, _):
        name(servers, first, startup_timeout_sec="5", http_headers="{ X-Key = 'secret-key-123' }")
        found = servers("test", "plain")
    assert found.exit_code == 2
    assert seen == []


def test_an_answer_without_an_end_is_given_up(servers: Servers):
    with answering(200, JSON, b" " * 5_000_000) as (url, _):
        name(servers, url, startup_timeout_sec="5")
        found = servers("test", "plain")
    assert (found.exit_code, "an answer of more than 4,194,304 bytes" in found.stderr) == (2, True), found.stderr


def test_an_answer_that_grows_when_it_is_undone_is_given_up(servers: Servers):
    with answering(200, {**JSON, "Content-Encoding": "gzip"}, gzip.compress(b" " * 50_000_000)) as (url, _):
        name(servers, url, startup_timeout_sec="5")
        found = servers("test", "plain")
    assert (found.exit_code, "compressed" in found.stderr) == (2, True), found.stderr


def test_an_address_that_fails_is_one_result_with_its_status(servers: Servers, run: Ran, url: str):
    name(servers, url)
    assert servers("trust", "plain", "--yes").exit_code == 0
    known = servers.home / "mcp" / "plain.json"
    with answering(503, {}, b"") as (other, _):
        name(servers, other, startup_timeout_sec="5")
        change_entry(servers, known)
        ((status, result),) = ends(run(ECHO, approve=(ECHO,), tools=[ECHO]))
    assert status == "failed"
    assert "it answered 503" in result


def test_a_gateway_that_fails_leaves_the_outcome_of_a_call_that_may_have_had_an_effect_unknown(
    servers: Servers, run: Ran
):
    with served(application([], calls=504)) as url:
        name(servers, url, hints="'believe'", tools="{ echo = { effect = 'transact' } }")
        assert servers("trust", "plain", "--yes").exit_code == 0
        ((status, result),) = ends(run(ECHO, approve=(ECHO,), tools=[ECHO]))
    assert (status, "it answered 504" in result) == ("unknown", True), result


def test_a_key_in_a_header_of_the_settings_is_not_shown(servers: Servers, run: Ran, url: str):
    name(servers, url, hints="'believe'", http_headers="{ X-Desk-Key = 'secret-key-123' }")
    assert servers("trust", "plain", "--yes").exit_code == 0
    ((status, result),) = ends(run((ECHO, {"text": "secret-key-123"}), tools=[ECHO]))
    assert (status, "secret-key-123" in result) == ("completed", False)


def change_entry(servers: Servers, known: Path) -> None:
    """Have what is known be of the entry as it is now."""
    import tomllib

    from finclaw_mcp.entries import Entry

    entry = tomllib.loads((servers.home / "config.toml").read_text())["mcp"]["servers"]["plain"]
    stored = json.loads(known.read_text())
    known.write_text(json.dumps({**stored, "entry": Entry.model_validate(entry).digest}))


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/mcp", "ftp://example.org", "https://user:key@example.org/mcp", "https:///mcp",
        "https://example.org/\x1b[31m", "https://example.org/a b",
    ],
)  # fmt: skip
def test_addresses_that_keys_must_not_go_to_are_refused(servers: Servers, address: str):
    found = servers("add", "plain", "--url", address)
    assert (found.exit_code, "https://HOST/PATH" in found.stderr) == (2, True), found.stderr
    assert not (servers.home / "config.toml").exists()


def test_a_server_has_a_program_or_an_address(servers: Servers):
    for arguments in (("add", "plain"), ("add", "plain", "--url", "https://example.org/mcp", "--", "program")):
        found = servers(*arguments)
        assert (found.exit_code, "either a command or a url" in found.stderr) == (2, True), found.stderr
