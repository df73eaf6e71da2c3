"""`[tool.guard.NAME]`: what of a tool's result a model gets, as the user wants it, and no project."""

from __future__ import annotations

import json

import pytest

from tests.e2e.harness import Finclaw, call

CARD = "4111 1111 1111 1111"
OPTIONS = "[tool.guard.strange]\nallow_html = true\nmask_private = false\n"


def test_tools_show_has_what_is_usual(own: Finclaw) -> None:
    assert "result:   HTML as text, private data masked" in own("tools", "show", "price").text
    assert json.loads(own("tools", "show", "price", "--json").text)["guard"] == {
        "allow_html": False,
        "mask_private": True,
    }


def test_tools_show_has_what_the_user_wants(own: Finclaw) -> None:
    (own.home / "config.toml").write_text(OPTIONS)
    assert "result:   HTML as it is, private data shown" in own("tools", "show", "strange").text
    assert json.loads(own("tools", "show", "strange", "--json").text)["guard"] == {
        "allow_html": True,
        "mask_private": False,
    }


@pytest.mark.parametrize("by", ["user", "project"])
def test_private_data_is_shown_where_the_user_wants_it_and_not_where_a_project_does(own: Finclaw, by: str) -> None:
    file = own.home / "config.toml" if by == "user" else own.cwd / ".finclaw.toml"
    file.write_text("[tool.guard.price]\nmask_private = false\n")
    model = own.script({"tool_calls": [call("price", symbol=f"card {CARD}")]}, {"text": "ok"})
    ran = own("run", "-o", "ndjson", "-m", model, "x")
    result = ran.of("agent.tool_call")[-1]["result"]
    assert (CARD in result) == (by == "user"), (result, ran.stderr)
    assert ("a project file may not set" in ran.stderr) == (by == "project")
