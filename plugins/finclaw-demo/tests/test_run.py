from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from finclaw_market.importer import ImportOptions, import_files

NUMBER = re.compile(r"\d+(?:[.-]\d+)*")
ENGLISH = "How did ACME do this year?"
KOREAN = "한빛전자는 올해 어땠나요?"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`finclaw run --model demo`, in a process of its own that knows no key and has imported nothing."""
    hidden = {name for name in os.environ if name.endswith("_API_KEY") or name.startswith("FINCLAW_")}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    environment = {**kept, "FINCLAW_HOME": str(tmp_path / "home"), "PYTHONUTF8": "1"}

    def start(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "finclaw_cli", "run", "--model", "demo", *arguments]
        return subprocess.run(
            command, input=stdin, env=environment, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
        )

    return start


def events(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def spoken(found: list[dict[str, Any]]) -> str:
    turns = [event["message"]["content"] for event in found if event["type"] == "agent.turn_complete"]
    return "\n".join(block["text"] for content in turns for block in content if block["type"] == "text")


@pytest.mark.parametrize(("prompt", "name"), [(ENGLISH, "ACME"), (KOREAN, "한빛전자")])
def test_every_number_of_the_answer_is_one_that_a_tool_returned(run: Run, prompt: str, name: str) -> None:
    done = run(prompt, "-o", "ndjson")
    assert done.returncode == 0, done.stderr
    found = events(done.stdout)
    completed = [e for e in found if e["type"] == "agent.tool_call" and e["status"] == "completed"]
    assert [(event["name"], event["is_error"]) for event in completed if event["is_error"]] == []
    assert {event["name"] for event in completed} == {
        "find_symbol",
        "get_quote",
        "get_price_history",
        "convert_currency",
    }
    assert len(completed) == 5
    text = spoken(found)
    assert name in text
    assert "{{" not in text
    returned = {number for event in completed for number in NUMBER.findall(event["result"])}
    returned |= {f"{Decimal(number) * 100:.2f}" for number in returned if re.fullmatch(r"0\.\d+", number)}  # percent
    assert set(NUMBER.findall(text)) <= returned
    assert len(set(NUMBER.findall(text))) > 12


def test_tools_of_one_turn_are_asked_for_together(run: Run) -> None:
    found = events(run(ENGLISH, "-o", "ndjson").stdout)
    requested = [(e["turn"], e["name"]) for e in found if e["type"] == "agent.tool_call" and e["status"] == "requested"]
    assert requested == [
        (1, "find_symbol"),
        (1, "get_quote"),
        (1, "get_price_history"),
        (2, "get_price_history"),
        (2, "convert_currency"),
    ]
    result = found[-1]
    assert (result["type"], result["status"], result["scripted"]) == ("agent.result", "completed", True)


@pytest.mark.parametrize("prompt", [ENGLISH, KOREAN])
def test_as_text_the_answer_says_its_source_and_the_next_step(run: Run, prompt: str) -> None:
    done = run(prompt)
    assert done.returncode == 0, done.stderr
    assert "synthetic" in done.stdout
    assert "2026-10-30" in done.stdout
    assert re.search("`finclaw data import your.csv --symbol NAME --currency (USD|KRW) --adjustment none`", done.stdout)
    assert "{{" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_user_s_own_prices_of_the_same_symbol_are_the_ones_that_are_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("Date,Close\n2026-10-29,10\n2026-10-30,11\n")
    report = import_files([tmp_path / "own.csv"], tmp_path / "home", ImportOptions(symbol="ACME"))
    assert report.imported
    done = run(ENGLISH)
    assert done.returncode == 0
    assert "own.csv (file)" in done.stdout
    assert "**11 USD**" in done.stdout
    assert "{{" not in done.stdout + done.stderr


@pytest.mark.parametrize("prompt", [ENGLISH, "How risky is ACME?", KOREAN])
def test_prices_of_the_user_that_are_too_few_are_named_as_the_reason(run: Run, tmp_path: Path, prompt: str) -> None:
    (tmp_path / "own.csv").write_text("Date,Close\n2026-01-05,101\n2026-01-06,102.4\n2026-01-07,100.6\n")
    for symbol in ("ACME", "HANBIT"):
        assert import_files([tmp_path / "own.csv"], tmp_path / "home", ImportOptions(symbol=symbol)).imported
    done = run(prompt)
    assert done.returncode == 0
    assert "(unavailable)" not in done.stdout
    assert "synthetic" not in done.stdout
    assert "`finclaw data list`" in done.stdout
    assert f'finclaw run --model demo "{prompt}"' in done.stdout


@pytest.mark.parametrize("prompt", [ENGLISH, KOREAN, "How risky is ACME?", "What can I ask?"])
def test_each_number_of_an_answer_passes_the_check(run: Run, prompt: str) -> None:
    done = run(prompt, "--verify-numbers", "fail")
    assert done.returncode == 0, done.stderr


def test_a_piped_table_of_positions_is_valued(run: Run) -> None:
    done = run(
        "How did my portfolio do this month?", "--verify-numbers", "fail", stdin="symbol,shares\nACME,12\nGLOBEX,3\n"
    )
    assert done.returncode == 0, done.stderr
    # 12 ACME at 126.89 and 3 GLOBEX at 164.57.
    assert done.stdout.startswith("Your positions are worth **2016.39 USD** at the closes of 2026-10-30.")
    assert "(unavailable)" not in done.stdout


def test_a_piped_table_that_cannot_be_valued_is_named_as_the_reason(run: Run) -> None:
    done = run("What is my portfolio worth?", stdin="symbol,price\nACME,1\n")
    assert done.stdout.startswith("I can't answer that: the table could not be valued.")


def test_a_question_with_a_file_gets_no_answer_about_something_else(run: Run) -> None:
    done = run("Which of these should I sell?", stdin="symbol,qty\nACME,10\n")
    assert done.stdout.startswith("I can't answer that: I am the demo model")
    assert "no file but a table of positions" in done.stdout


def test_any_other_question_gets_an_honest_answer(run: Run) -> None:
    done = run("Should I buy Tesla?")
    assert done.returncode == 0
    assert done.stdout.startswith("I can't answer that: I am the demo model")
    assert ENGLISH in done.stdout


def test_a_conversation_of_several_questions_does_not_run_out_of_words(run: Run) -> None:
    prompts = [ENGLISH, "And again, ACME?", KOREAN, "Why?"]
    lines = "".join(json.dumps({"type": "user", "text": prompt}) + "\n" for prompt in prompts)
    done = run("--input-format", "ndjson", "-o", "ndjson", stdin=lines)
    assert done.returncode == 0, done.stderr
    results = [event for event in events(done.stdout) if event["type"] == "agent.result"]
    assert [result["status"] for result in results] == ["completed"] * 4
    assert results[0]["text"] == results[1]["text"]
    assert "한빛전자" in results[2]["text"]
