"""`finclaw mcp`: what is in the settings, what is known, what is trusted."""

from __future__ import annotations

import json
import sys
import tomllib

from conftest import SERVER, Ran, Servers, ends

STATELESS = SERVER.with_name("stateless_server.py")
ECHO = "plain__echo"


def test_a_server_is_added_listed_and_removed(servers: Servers):
    assert servers("add", "plain", "--env", "TOKEN=${MY_TOKEN}", "--", "program", "--flag", "a b").exit_code == 0
    written = tomllib.loads((servers.home / "config.toml").read_text())
    entry = {"command": "program", "args": ["--flag", "a b"], "env": {"TOKEN": "${MY_TOKEN}"}}
    assert written == {"mcp": {"servers": {"plain": entry}}}
    (row,) = json.loads(servers("list", "--json").stdout)["servers"]
    assert row == {
        "name": "plain",
        "state": "not trusted: finclaw mcp trust plain",
        "tools": 0,
        "server": "program --flag 'a b'",
    }
    assert servers("remove", "plain").exit_code == 0
    assert json.loads(servers("list", "--json").stdout) == {"servers": []}


def test_comments_of_the_settings_stay(servers: Servers):
    (servers.home / "config.toml").write_text('# mine\nmodel = "demo"  # why\n')
    servers("add", "plain", "--", "program")
    assert (servers.home / "config.toml").read_text().startswith('# mine\nmodel = "demo"  # why\n')


def test_names_that_tools_could_not_have_are_refused(servers: Servers):
    for name in ("Plain", "a__b", "1a", "a" * 25, "a-b"):
        found = servers("add", name, "--", "program")
        assert (found.exit_code, "is no name of a server" in found.stderr) == (2, True), name


def test_a_second_server_of_a_name_is_refused(servers: Servers):
    servers.add()
    found = servers("add", "plain", "--", "program")
    assert (found.exit_code, "there is a server plain already" in found.stderr) == (2, True)


def test_a_server_is_looked_at_without_being_trusted(servers: Servers):
    servers.add()
    found = json.loads(servers("test", "plain", "--json").stdout)
    assert [found[key] for key in ("about", "era", "version")] == ["plain 1", "handshake", "2025-11-25"]
    assert [tool["name"] for tool in found["tools"]] == [ECHO, "plain__die", "plain__order"]
    assert servers("list").stdout.splitlines()[1].split()[1:3] == ["not", "trusted:"]


def test_without_a_terminal_nothing_is_trusted_unasked(servers: Servers):
    servers.add()
    found = servers("trust", "plain")
    assert (found.exit_code, "finclaw mcp trust plain --yes" in found.stderr) == (2, True)
    assert not (servers.home / "mcp").exists()


def test_a_server_that_does_not_start_is_one_line_with_its_last_words(servers: Servers):
    servers.add("dead")
    found = servers("test", "plain")
    assert found.exit_code == 2
    assert "the server plain cannot be used" in found.stderr
    assert "cannot find its configuration" in found.stderr


def test_the_tools_that_changed_are_named(servers: Servers):
    servers.replace("changed")
    changes = json.loads(servers("test", "plain", "--json").stdout)["changes"]
    assert changes == {"added": ["extra"], "changed": ["echo"], "removed": []}


def test_a_tool_of_a_server_that_is_not_trusted_is_not_offered(servers: Servers, run: Ran):
    servers.add()
    ((status, result),) = ends(run(ECHO, tools=None))
    assert (status, result) == ("failed", f"Unknown tool: {ECHO}.")


def test_a_server_whose_settings_changed_is_not_started(servers: Servers, run: Ran):
    servers.trust()
    servers.add("dead")
    ((status, result),) = ends(run(ECHO, approve=(ECHO,)))
    assert (status, "finclaw mcp trust plain" in result) == ("failed", True), result


def test_without_an_approval_a_tool_is_not_called(servers: Servers, run: Ran):
    servers.trust()
    assert [status for status, _ in ends(run(ECHO, "plain__order"))] == ["denied", "denied"]


def test_a_glob_does_not_approve_what_may_place_an_order(servers: Servers, run: Ran):
    servers.trust()
    assert [status for status, _ in ends(run("plain__order", approve=("plain__*",)))] == ["denied"]


def test_a_run_as_of_a_day_sees_nothing_of_a_server(servers: Servers, run: Ran):
    servers.trust()
    ((status, result),) = ends(run(ECHO, approve=(ECHO,), as_of="2026-01-05"))
    assert (status, "may see nothing after 2026-01-05" in result) == ("failed", True), result


def test_a_variable_that_is_not_set_is_named(servers: Servers):
    servers.add(env='{ TOKEN = "${NOT_SET_ANYWHERE}" }')
    found = servers("test", "plain")
    assert (found.exit_code, "the variable NOT_SET_ANYWHERE is not set" in found.stderr) == (2, True)


def test_a_server_of_the_current_version_is_known_and_called(servers: Servers, run: Ran):
    table = f"[mcp.servers.plain]\ncommand = {sys.executable!r}\nargs = [{str(STATELESS)!r}]\nhints = 'believe'\n"
    (servers.home / "config.toml").write_text(table)
    assert servers("trust", "plain", "--yes").exit_code == 0
    known = json.loads((servers.home / "mcp" / "plain.json").read_text())
    assert (known["era"], known["version"]) == ("stateless", "2026-07-28")
    found = ends(run(("plain__add", {"first": 2, "second": 3}), tools=["plain__add"]))
    assert [(status, json.loads(result)) for status, result in found] == [("completed", {"sum": 5})]


def test_a_damaged_file_of_what_is_known_is_one_clear_error(servers: Servers, run: Ran):
    servers.trust()
    (servers.home / "mcp" / "plain.json").write_text("{")
    ((status, result),) = ends(run(ECHO, approve=(ECHO,)))
    assert status == "failed"
    assert "finclaw mcp trust plain" in result


def test_what_is_kept_is_private(servers: Servers):
    servers.trust()
    kept = [servers.home / "mcp" / "plain.json", servers.home / "toolsets" / "finclaw-mcp" / "plain.json"]
    assert [oct(path.stat().st_mode & 0o777) for path in kept] == ["0o600", "0o600"]


def test_a_server_that_does_not_list_its_tools_is_not_waited_for(servers: Servers):
    servers.add("silent list", startup_timeout_sec="1.0")
    found = servers("trust", "plain", "--yes")
    assert (found.exit_code, "was not ready within 1 s" in found.stderr) == (2, True), found.output


def test_a_damaged_file_of_a_server_is_its_state(servers: Servers):
    servers.trust()
    (servers.home / "mcp" / "plain.json").write_text('{"entry":"","era":"handshake","version":"","tools":[{}]}')
    (row,) = json.loads(servers("list", "--json").stdout)["servers"]
    assert row["state"] == "what is stored of it cannot be used: finclaw mcp trust plain"
    assert "make it anew" in servers("test", "plain").stderr


def test_the_whole_description_that_a_model_gets_is_shown(servers: Servers):
    servers.add("wordy")
    (tool, *_) = json.loads(servers("test", "plain", "--json").stdout)["tools"]
    assert tool["description"].endswith("and then the rest.")
