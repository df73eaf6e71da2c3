"""`[groups.NAME]`: when a model is offered the tools of a group, and what they are for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.harness import Finclaw, call

pytestmark = pytest.mark.by_agent


def with_settings(own: Finclaw, text: str) -> Finclaw:
    (own.home / "config.toml").write_text(text)
    return own


def offered(own: Finclaw, *options: str) -> list[str]:
    ran = own("run", "-o", "ndjson", *options, "-m", own.script({"text": "Hi."}), "x")
    assert ran.code == 0, ran.stderr
    return [tool["name"] for tool in ran.lines[0]["tools"]]


def groups(own: Finclaw) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in json.loads(own("tools", "groups", "--json").text)}


def test_the_groups_are_listed_with_when_they_are_offered_and_what_for(own: Finclaw) -> None:
    found = groups(own)
    assert {name: each["offer"] for name, each in found.items()} == {
        "finance": "always", "web": "always", "communication": "always",
        "system": "on-demand", "data": "on-demand", "custom": "on-demand",
    }  # fmt: skip
    assert found["finance"]["description"] == "look up and compute financial figures"
    assert found["finance"]["tools"] > 0
    assert "finance" in own("tools", "groups").text


def test_a_group_that_is_offered_on_demand_is_left_out_where_nothing_asks_for_it(own: Finclaw) -> None:
    assert "price" in offered(own)
    with_settings(own, '[groups.finance]\noffer = "on-demand"\n')
    assert "price" not in offered(own)
    assert offered(own, "-t", "price") == ["price"]


def test_a_group_that_is_always_offered_needs_no_naming(own: Finclaw) -> None:
    before = offered(own)
    more = offered(with_settings(own, '[groups.custom]\noffer = "always"\n[tool.groups]\nstrange = "custom"\n'))
    assert "strange" in more
    assert set(before) <= set(more)


def test_a_tool_of_a_group_that_is_never_offered_is_refused_where_it_is_named(own: Finclaw) -> None:
    with_settings(own, '[groups.finance]\noffer = "never"\n')
    assert "price" not in offered(own)
    ran = own("run", "-o", "ndjson", "-t", "price", "-m", own.script({"text": "Hi."}), "x")
    assert (ran.code, ran.result["error"]["code"]) == (2, "never_offered")
    assert "groups.finance.offer" in ran.result["error"]["hint"]


def test_a_glob_passes_over_a_group_that_is_never_offered(own: Finclaw) -> None:
    with_settings(own, '[groups.finance]\noffer = "never"\n')
    assert "price" not in offered(own, "-t", "*")


def test_a_call_of_a_tool_that_is_never_offered_runs_nothing(own: Finclaw) -> None:
    with_settings(own, '[groups.finance]\noffer = "never"\n')
    model = own.script({"tool_calls": [call("pay", to="Kim", amount="5")]}, {"text": "ok"})
    own("run", "-o", "ndjson", "--approve", "pay", "-m", model, "x")
    assert not (own.home / "paid").exists()


def test_the_description_stands_in_the_system_prompt(own: Finclaw) -> None:
    with_settings(own, '[groups.finance]\ndescription = "price bonds by the day"\n')
    assert "price bonds by the day" in own("prompt", "show").text
    assert groups(own)["finance"]["description"] == "price bonds by the day"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[groups.money]\noffer = "never"\n', "there is no group 'money'; groups: finance, web"),
        ('[groups.finance]\noffer = "sometimes"\n', "sometimes"),
    ],
)
def test_what_makes_no_sense_is_refused(own: Finclaw, text: str, message: str) -> None:
    ran = with_settings(own, text)("tools", "groups")
    assert (ran.code, message in ran.stderr) == (2, True), ran.stderr


def test_a_project_may_not_change_groups(own: Finclaw) -> None:
    (own.cwd / ".finclaw.toml").write_text('[groups.custom]\noffer = "always"\n')
    ran = own("tools", "groups")
    assert ran.code == 0
    assert groups(own)["custom"]["offer"] == "on-demand"


SKILL = "---\nname: morning-report\ndescription: Write the morning report.\nallowed-tools: strange\n---\nWrite it.\n"


def test_a_tool_that_a_skill_brings_has_the_skill_beside_its_source(own: Finclaw) -> None:
    folder = own.cwd / ".finclaw" / "skills" / "morning-report"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL)
    with_settings(own, '[tool.groups]\nstrange = "custom"\n')
    ran = own("run", "-o", "ndjson", "--session", "talk", "-m", own.script({"text": "Hi."}), "x")
    tools = {tool["name"]: tool for tool in ran.lines[0]["tools"]}
    assert (tools["strange"]["source"], tools["strange"]["skill"]) == ("plugin:finclaw-kit", "skill:morning-report")
    assert tools["price"]["skill"] is None
    assert own("replay", "--verify", "talk").code == 0
