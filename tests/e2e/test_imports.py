"""What a command imports, seen from outside: it starts at once, or it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.harness import Finclaw
from tests.wire.server import threaded

HEAVY = {"anthropic", "openai", "httpx2", "rich", "genai_prices", "keyring", "jsonschema_rs"}
HEAVY |= {"tenacity", "markdown_it"}


def imported(finclaw: Finclaw, *arguments: str, **env: str) -> set[str]:
    """The top-level modules that a command imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "finclaw_cli", *arguments],
        env=finclaw.env(env),
        cwd=finclaw.cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    lines = [line for line in done.stderr.decode().splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("tools", "list"),
        ("tools", "list", "--json"),
        ("run", "--help"),
        ("plugins", "list"),
        ("sessions", "list"),
        ("cost",),
        ("cost", "--by", "tool,day", "--json"),
        ("cost", "--session", "none"),
    ],
    ids=" ".join,
)
def test_what_only_looks_imports_nothing_heavy_and_no_plugin(finclaw: Finclaw, arguments: tuple[str, ...]) -> None:
    finclaw("tools", "list")  # a plugin seen for the first time is looked at, in a process of its own
    mark = finclaw.cwd / "kit-imported"
    assert imported(finclaw, *arguments, KIT_IMPORTED=str(mark)) & HEAVY == set()
    assert not mark.exists()


def test_a_replay_imports_no_sdk_and_no_plugin(finclaw: Finclaw) -> None:
    model = finclaw.script({"tool_calls": [{"name": "price", "input": {"symbol": "A"}}]}, {"text": "So."})
    session = finclaw("run", "-o", "ndjson", "-m", model, "x").result["session_id"]
    mark = finclaw.cwd / "kit-imported"
    assert imported(finclaw, "replay", "-o", "ndjson", session, KIT_IMPORTED=str(mark)) & HEAVY == set()
    assert not mark.exists()
    verifying = imported(finclaw, "replay", "--verify", session, KIT_IMPORTED=str(mark))
    assert verifying & {"anthropic", "openai", "httpx2"} == set()
    assert mark.exists()  # its tool is what is verified


@pytest.mark.parametrize("words", ["finclaw ru", "finclaw run -m cl", "finclaw tools show pr", "finclaw cost --by mo"])
def test_completion_imports_nothing_heavy_and_no_plugin(finclaw: Finclaw, words: str) -> None:
    finclaw("tools", "list")
    completing = {
        "_FINCLAW_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    assert imported(finclaw, **completing) & HEAVY == set()


each_dialect = pytest.mark.parametrize(
    ("dialect", "sdk"),
    [(Anthropic(), "anthropic"), (Chat(), "openai"), (Responses(), "openai")],
    ids=["anthropic", "chat", "responses"],
)


def imported_by_a_run(finclaw: Finclaw, dialect: Dialect, *options: str) -> set[str]:
    with threaded(dialect.text("hi")) as server:
        base = server.url if isinstance(dialect, Anthropic) else f"{server.url}/v1"
        return imported(finclaw, "run", "-m", dialect.model, "--base-url", base, *options, "x")


@each_dialect
def test_a_run_imports_no_sdk_and_no_http_client(finclaw: Finclaw, dialect: Dialect, sdk: str) -> None:
    imported_by_a_run(finclaw, dialect)  # prices that are looked up once come from a library that imports much
    assert imported_by_a_run(finclaw, dialect) & {"anthropic", "openai", "httpx2", "rich", "genai_prices"} == set()


@each_dialect
def test_a_run_over_an_sdk_imports_only_its_own(finclaw: Finclaw, dialect: Dialect, sdk: str) -> None:
    modules = imported_by_a_run(finclaw, dialect, "--transport", "sdk")
    assert modules & {"anthropic", "openai", "rich"} == {sdk}


def test_a_scripted_run_imports_no_sdk_at_all(finclaw: Finclaw) -> None:
    assert not {"anthropic", "openai", "httpx2", "rich"} & imported(
        finclaw, "run", "-m", finclaw.script({"text": "x"}), "x"
    )


def test_a_missing_key_is_noticed_before_an_sdk_is_imported(finclaw: Finclaw) -> None:
    assert not {"anthropic", "openai", "httpx2"} & imported(finclaw, "run", "-m", "anthropic:claude-x", "x")
    ran = finclaw("run", "-o", "ndjson", "-m", "anthropic:claude-x", "x")
    assert "ANTHROPIC_API_KEY" in ran.result["error"]["message"]
    assert "finclaw run --model demo" in ran.result["error"]["hint"]
    assert ran.code == 3


def test_a_module_beside_the_script_of_finclaw_is_not_imported(own: Finclaw, tmp_path: Path):
    script, mark = tmp_path / "bin" / "finclaw", tmp_path / "imported"
    script.parent.mkdir()
    script.write_text("from finclaw_cli.__main__ import main\nmain()\n")
    (script.parent / "json.py").write_text(f"open({str(mark)!r}, 'w')\n")
    command = [sys.executable, str(script), "tools", "list"]
    ran = subprocess.run(command, env=own.env(), cwd=own.cwd, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert not mark.exists()
