"""Servers that do not do what they should: each costs one result that names the reason, and leaves nothing behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Ran, Servers, ends

ECHO = "plain__echo"


def test_a_tool_of_a_trusted_server_is_called(servers: Servers, run: Ran):
    servers.trust()
    assert ends(run(ECHO, approve=(ECHO,))) == [("completed", "echo")]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("dead", "cannot be used"),
        ("undefined", "the protocol does not define"),
        ("error", "no such thing"),
        ("endless", "or its list of them has no end"),
        ("many", "more than 500 tools"),
    ],
)
def test_a_fault_of_a_server_is_the_result_of_the_call(servers: Servers, run: Ran, fault: str, words: str):
    servers.replace(fault)
    ((status, result),) = ends(run(ECHO, approve=(ECHO,)))
    assert (status, words in result) == ("failed", True), result


def test_a_line_without_an_end_ends_the_connection(servers: Servers, run: Ran):
    servers.replace("flood")
    ((status, result),) = ends(run(ECHO, approve=(ECHO,)))
    assert (status, "it sent a line of more than 4,194,304 bytes" in result) == ("unknown", True), result


@pytest.mark.parametrize("fault", ["junk", "deaf", "forks"])
def test_a_fault_that_does_no_harm_is_passed_over(servers: Servers, run: Ran, fault: str):
    servers.replace(fault)
    assert ends(run(ECHO, approve=(ECHO,))) == [("completed", "echo")]


def test_what_a_server_has_started_ends_with_it(servers: Servers, run: Ran):
    servers.replace("forks")
    run(ECHO, approve=(ECHO,))
    helper = int((servers.home / "helper").read_text())
    stat = Path(f"/proc/{helper}/stat")
    assert not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize(("fault", "words"), [("silent", "was not ready within 0.5 s"), ("silent call", "timed out")])
def test_a_silent_server_costs_its_timeout(servers: Servers, run: Ran, fault: str, words: str):
    servers.replace(fault, startup_timeout_sec="0.5", tool_timeout_sec="1.0")
    ((status, result),) = ends(run(ECHO, approve=(ECHO,)))
    assert words in result, (status, result)


def test_a_server_that_ends_is_started_once_more(servers: Servers, run: Ran):
    servers.trust(hints='"believe"')
    found = ends(run("plain__die", ECHO, "plain__die", ECHO))
    assert [status for status, _ in found] == ["failed", "completed", "failed", "failed"]
    assert "the server ended before it answered" in found[0][1]
    assert "not started a third time" in found[3][1]


def test_an_order_whose_server_ended_is_unknown_and_not_sent_again(servers: Servers, run: Ran):
    servers.trust(tools='{ die = { effect = "transact" } }')
    assert [status for status, _ in ends(run("plain__die", approve=("plain__die",)))] == ["unknown"]


def test_a_changed_tool_is_not_called_and_the_others_are(servers: Servers, run: Ran):
    servers.replace("changed", hints='"believe"')
    found = ends(run(ECHO, "plain__order", approve=("plain__order",)))
    assert [status for status, _ in found] == ["failed", "completed"]
    assert "changed this tool since the user trusted it" in found[0][1]


def test_stored_tools_that_claim_less_than_was_trusted_start_no_server(servers: Servers, run: Ran):
    servers.trust()
    stored = servers.home / "toolsets" / "finclaw-mcp" / "plain.json"
    content = json.loads(stored.read_text())
    for tool in content["tools"]:
        tool.update(read_only=True, requires_approval=False, transactional=False, group="web")
    stored.write_text(json.dumps(content))
    ((status, result),) = ends(run("plain__order"))
    assert (status, "are not those that the user trusted" in result) == ("failed", True), result


def test_a_stored_tool_that_the_server_never_had_is_no_tool(servers: Servers, run: Ran):
    servers.trust()
    stored = servers.home / "toolsets" / "finclaw-mcp" / "plain.json"
    stored.write_text(stored.read_text().replace("plain__die", "plain__other"))
    ((status, result),) = ends(run(ECHO, tools=[ECHO], approve=(ECHO,)))
    assert (status, "are not those that the user trusted" in result) == ("failed", True), result


def test_a_tool_that_changes_after_a_call_is_not_called_again(servers: Servers, run: Ran):
    servers.replace("turns", hints='"believe"')
    found = ends(run(ECHO, ECHO))
    assert [status for status, _ in found] == ["completed", "failed"]
    assert "changed this tool since the user trusted it" in found[1][1]


def test_a_tool_that_is_another_after_a_restart_is_not_called(servers: Servers, run: Ran):
    servers.replace("turns", hints='"believe"')
    found = ends(run("plain__die", ECHO))
    assert [status for status, _ in found] == ["failed", "failed"]
    assert "changed this tool since the user trusted it" in found[1][1]
