"""What is read without a run: sessions, costs, tools, models, settings, as the command line prints them."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.agent.scripts import Scripts
from tests.e2e.warm import run_warm
from tests.serve.clients import Served

pytestmark = pytest.mark.asyncio


async def printed(home: Path, *arguments: str) -> Any:
    """What the command prints as JSON."""
    env = {"FINCLAW_HOME": str(home), "PATH": "/usr/bin:/bin"}
    code, stdout, stderr = await asyncio.to_thread(run_warm, arguments, env=env, cwd=home.parent, timeout_s=60)
    assert code == 0, stderr
    return json.loads(stdout)


@pytest.fixture
async def asked(served: Served, script: Scripts) -> list[str]:
    """Three sessions, the oldest one first."""
    model = script({"text": "Apples are fine."})
    names = [await served.start(f"What about apples {number}?", model=model) for number in range(3)]
    for name in names:
        await served.ended(name)
    return names


async def test_sessions_costs_models_and_settings_are_what_the_commands_print(
    served: Served, asked: list[str], without_plugins: Path
):
    commands = {
        "cost": ("cost", "--json"),
        "models": ("models", "list", "--json"),
        "settings": ("config", "show", "--json"),
        "schema": ("events", "schema"),
    }
    for path, command in commands.items():
        assert await served.get(f"/v1/{path}") == await printed(without_plugins, *command)
    listed = await served.get("/v1/sessions")
    assert listed == {
        "sessions": await printed(without_plugins, "sessions", "list", "--json"),
        "next": None,
        "warnings": [],
    }


async def test_one_session_has_its_messages_runs_and_calls(served: Served, asked: list[str], without_plugins: Path):
    session = await served.get(f"/v1/sessions/{asked[0]}")
    assert session["messages"] == await printed(without_plugins, "sessions", "show", asked[0], "--json")
    assert [run["run_id"] for run in session["runs"]] == [asked[0]]
    page = await served.http.get(f"/v1/sessions/{asked[0]}/html")
    assert "Apples are fine." in page.text
    assert page.headers["content-security-policy"].startswith("sandbox; default-src 'none'")


async def test_sessions_come_page_by_page(served: Served, asked: list[str]):
    names, cursor = list[str](), None
    while True:
        page = await served.get("/v1/sessions", limit=1, **({"cursor": cursor} if cursor else {}))
        names += [each["name"] for each in page["sessions"]]
        if (cursor := page["next"]) is None:
            break
    assert sorted(names) == sorted(asked)


async def test_an_altered_cursor_is_refused(served: Served, asked: list[str]):
    cursor = (await served.get("/v1/sessions", limit=1))["next"]
    for altered in (f"1{cursor}", cursor[:-1], cursor.replace(".jsonl", "x.jsonl"), "1-a", "x"):
        refused = await served.http.get("/v1/sessions", params={"limit": 1, "cursor": altered})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_cursor")


async def test_damaged_labels_are_named_and_sessions_are_listed(
    served: Served, asked: list[str], without_plugins: Path
):
    (without_plugins / "sessions" / "labels.json").write_text('{"x": ')
    page = await served.get("/v1/sessions")
    assert {each["name"] for each in page["sessions"]} == set(asked)
    (warning,) = page["warnings"]
    assert "labels.json cannot be read: it is no JSON at line 1, column 7" in warning
    assert (await served.get(f"/v1/sessions/{asked[0]}"))["warnings"] == [warning]
    filtered = await served.http.get("/v1/sessions", params={"tag": "review"})
    assert (filtered.status_code, filtered.json()["error"]["code"]) == (400, "bad_labels")


async def test_sessions_written_at_one_time_are_on_one_page_each(
    served: Served, asked: list[str], without_plugins: Path
):
    for name in asked:
        os.utime(without_plugins / "sessions" / f"{name}.jsonl", (1, 1))
    printed_names = [each["name"] for each in await printed(without_plugins, "sessions", "list", "--json")]
    first = await served.get("/v1/sessions", limit=2)
    second = await served.get("/v1/sessions", limit=2, cursor=first["next"])
    assert [each["name"] for each in first["sessions"] + second["sessions"]] == printed_names


async def test_sessions_are_found_by_words_and_conditions(served: Served, asked: list[str]):
    found = await served.get("/v1/sessions", query='"apples 1"')
    assert [each["name"] for each in found["sessions"]] == [asked[1]]
    assert found["sessions"][0]["hits"][0]["text"] == "What about apples 1?"
    assert (await served.get("/v1/sessions", failed="true"))["sessions"] == []
    assert len((await served.get("/v1/sessions", since="1d"))["sessions"]) == 3


async def test_a_search_counts_the_messages_that_it_does_not_show(served: Served, asked: list[str], script: Scripts):
    for _ in range(6):
        run_id = await served.start("Pears?", session="pears", model=script({"text": "Pears."}))
        await served.ended(run_id)
    (found,) = (await served.get("/v1/sessions", query="pears"))["sessions"]
    assert (found["name"], found["found"], len(found["hits"])) == ("pears", 12, 5)
    assert {hit["text"] for hit in found["hits"]} == {"Pears?", "Pears."}


async def test_a_session_is_named_whole_and_is_no_path(served: Served, asked: list[str], without_plugins: Path):
    (without_plugins.parent / "notes").write_text("private")
    for name in (asked[0][:-1], "notes", "config.toml", "con fig"):
        answer = await served.http.get(f"/v1/sessions/{name}")
        assert answer.status_code in {400, 404}
        assert "private" not in answer.text


async def test_tools_and_the_policy_are_what_the_commands_print(with_tools: Served, shared_home: Path):
    tools = await with_tools.get("/v1/tools")
    assert "price" in {tool["name"] for tool in tools}
    answer = await with_tools.http.post("/v1/policy/explain", json={"tool": "pay"})
    assert (answer.json()["decision"], answer.json()["channel"]) == ("require-approval", "serve")
    unknown = await with_tools.http.post("/v1/policy/explain", json={"tool": "no-such-tool"})
    assert unknown.status_code in {400, 404}


async def test_the_page_needs_no_token_and_has_the_policy_that_protects_it(served: Served):
    page = await served.http.get("/", headers={"authorization": ""})
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "no-referrer")


async def test_each_line_satisfies_the_schema_that_is_served(served: Served, asked: list[str]):
    schema = jsonschema_rs.validator_for(await served.get("/v1/schema"))
    for line in (await served.read(asked[0], events="all")).splitlines():
        schema.validate(json.loads(line))
