"""The examples of `docs/how-to/plugin-data.md` do what the page promises."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.tools import run_tool
from tests.docs.pages import ROOT, files_of
from tests.wire.server import json_reply, threaded

FILES = files_of(ROOT / "docs" / "how-to" / "plugin-data.md")

Example = Callable[[str], ModuleType]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Example:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
        monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return import_module


def test_the_notes_are_kept(example: Example, finclaw_home: Path) -> None:
    notes = example("notes")
    assert run_tool(notes.list_notes, {"symbol": "ACME"}).content == "[]"
    assert run_tool(notes.add_note, {"symbol": "ACME", "text": "sound"}).content == "kept"
    assert run_tool(notes.list_notes, {"symbol": "ACME"}).content == '["sound"]'


def test_damage_reaches_the_model_as_one_line(example: Example, finclaw_home: Path) -> None:
    notes = example("notes")
    finclaw_home.mkdir(exist_ok=True)
    (finclaw_home / "notes.db").write_bytes(b"not a database at all" * 100)
    answer = run_tool(notes.list_notes, {"symbol": "ACME"})
    assert answer.is_error
    assert "notes.db: file is not a database; it is damaged: move it away" in answer.content


@pytest.fixture
def rates(example: Example, finclaw_home: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("RATES_KEY", "rates-key-0123456789")
    return example("rates")


def test_the_rate_is_asked_for_with_the_key(rates: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with threaded(json_reply({"rate": 0.0525, "date": "2024-01-02"})) as server:
        monkeypatch.setenv("RATES_URL", server.url)
        answer = json.loads(run_tool(rates.policy_rate, {"country": "US"}).content)
    assert (answer["data"], answer["as_of"]) == ({"rate": "0.0525"}, "2024-01-02")
    assert server.requests[0].headers["authorization"] == "Bearer rates-key-0123456789"


def test_a_service_that_asks_to_wait_is_asked_once(rates: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with threaded(json_reply({}, status=429, headers={"Retry-After": "17"})) as server:
        monkeypatch.setenv("RATES_URL", server.url)
        for _ in range(2):
            assert "RATE_LIMITED: Rates" in run_tool(rates.policy_rate, {"country": "US"}).content
    assert len(server.requests) == 1


def test_a_key_goes_to_no_other_host(rates: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATES_URL", "http://evil.example")
    assert "NOT_CONFIGURED: RATES_URL" in run_tool(rates.policy_rate, {"country": "US"}).content


def test_the_settings_are_checked(example: Example, finclaw_home: Path) -> None:
    greeting = example("greeting").greeting
    assert run_tool(greeting, settings={"name": "ACME", "times": 2}).content == "Hello, ACME! Hello, ACME!"
    wrong = run_tool(greeting, settings={"time": 2}).content
    assert "[plugin.finclaw-greeting] time is no setting (known: name, times)" in wrong


@pytest.mark.parametrize("name", [name.removesuffix(".py") for name in FILES])
def test_the_examples_keep_the_contract(example: Example, name: str) -> None:
    assert [problem for problem in check_plugin(example(name)) if problem.severity == "error"] == []
