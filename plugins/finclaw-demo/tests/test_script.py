from __future__ import annotations

import json
import re
from importlib import import_module
from importlib.metadata import entry_points

import pytest

from finclaw_cli.providers.script import Script, ScriptedCall, read_script
from finclaw_cli.tools.define import define_all
from finclaw_demo import plugin
from finclaw_demo.dataset import dataset

SCRIPT = read_script(plugin.SCRIPT)
PLUGINS = [import_module(f"finclaw_{name}.plugin") for name in ("analytics", "ledger", "market", "paper", "portfolio")]
TOOLS = {tool.name: tool for one in PLUGINS for offered in one.finclaw_tools() for tool in define_all(offered)}
PLACEHOLDER = re.compile(r"\{\{(\w+)\.[\w.-]+(?:\|percent)?\}\}")


def calls(script: Script) -> list[ScriptedCall]:
    return [call for talk in script.conversations for turn in talk.turns for call in turn.tool_calls]


def test_the_distribution_offers_the_model_and_the_prices() -> None:
    found = {point.group: point for point in entry_points(name="finclaw-demo")}
    assert found["finclaw"].load() is plugin
    assert found["finclaw_market.datasets"].load() is dataset


def test_the_model_needs_no_key_and_says_that_it_is_scripted() -> None:
    (spec,) = plugin.finclaw_providers()
    assert (spec.name, spec.models, spec.default_model) == ("demo", ("demo",), "demo")
    assert (spec.scripted, spec.key_variable) == (True, None)


@pytest.mark.parametrize("call", [pytest.param(call, id=f"{n}-{call.name}") for n, call in enumerate(calls(SCRIPT))])
def test_every_scripted_call_is_one_that_its_tool_takes(call: ScriptedCall) -> None:
    tool = TOOLS[call.name]
    assert tool.validate is not None
    filled = json.loads(PLACEHOLDER.sub("1", json.dumps(dict(call.input))))
    assert tool.validate(filled) == []
    assert tool.validate({**call.input, "unheard_of": 1})
    dated = {"as_of", "date"} & tool.input_schema["properties"].keys()  # type: ignore[union-attr]
    days = {"2026-10-30", "2026-09-30"} if call.id == "before" else {"2026-10-30"}
    assert all(call.input.get(name) in days for name in dated)


@pytest.mark.parametrize("talk", SCRIPT.conversations, ids=lambda talk: talk.match or "else")
def test_words_use_only_what_tools_have_answered_by_then_and_no_number_of_their_own(talk: object) -> None:
    answered: set[str] = set()
    for turn in talk.turns:  # type: ignore[attr-defined]
        assert set(PLACEHOLDER.findall(turn.text)) <= answered
        assert not re.search(r"[0-9]", PLACEHOLDER.sub("", turn.text + turn.otherwise))
        answered |= {call.id or call.name for call in turn.tool_calls}


@pytest.mark.parametrize(
    ("prompt", "calls_tools", "language"),
    [
        ("How did ACME do this year?", True, "look up"),
        ("show me the demo", True, "look up"),
        ("한빛전자는 올해 어땠나요?", True, "찾아"),
        ("How did ACME do?", True, "look up"),
        ("how is ACME doing so far this year?", True, "look up"),
        ("How risky is ACME?", True, "bad day"),
        ("Buy 10 shares of ACME in my paper account.", True, "order"),
        ("Buy ten shares of ACME", True, "order"),
        ("What did I spend?", True, "statement"),
        ("Buy 500 shares of ACME", False, "I can't answer that"),
        ("Compare ACME and GLOBEX", False, "I can't answer that"),
        ("How did ACME do this year against GLOBEX?", False, "I can't answer that"),
        ("Should I sell ACME?", False, "I can't answer that"),
        ("How is ACME's balance sheet?", False, "I can't answer that"),
        ("How did ACME do this year?\n\n<stdin>\nsymbol,qty\nACME,10\n</stdin>", False, "no file"),
        ("How did my portfolio do this month?\n\n<stdin>\nsymbol,qty\nACME,10\n</stdin>", True, "piped in"),
        ("How did my portfolio do this month?", False, "I can't answer that"),
        ("What did I spend on ACME in 2019?", False, "I can't answer that"),
        ("삼성전자는 올해 어땠나요?", False, "답할 수 없는"),
        ("What is Apple worth?", False, "I can't answer that"),
        ("", False, "I can't answer that"),
    ],
)
def test_the_prompt_decides_the_conversation(prompt: str, calls_tools: bool, language: str) -> None:
    first = SCRIPT.conversation_for(prompt)[0]
    assert (bool(first.tool_calls), language in first.text) == (calls_tools, True)


def test_each_prompt_that_it_says_it_can_play_is_played() -> None:
    said = "".join(talk.turns[0].text for talk in SCRIPT.conversations if not talk.turns[0].tool_calls)
    offered = set(re.findall(r'--model demo "([^"]+)"( < )?', said))
    assert len(offered) == 5
    for prompt, piped in offered:
        assert SCRIPT.conversation_for(f"{prompt}\n\n<stdin>\n" if piped else prompt)[0].tool_calls


def test_the_script_is_quick() -> None:
    for talk in SCRIPT.conversations:
        chunks = sum(
            len(turn.text) / turn.delta_chars
            + sum(len(json.dumps(call.input)) / turn.delta_chars + 2 for call in turn.tool_calls)
            for turn in talk.turns
        )
        assert chunks * talk.turns[0].delay_s < 1
