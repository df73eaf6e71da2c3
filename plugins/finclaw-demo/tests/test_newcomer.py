"""The way of somebody new: a broker's file, three questions, where the numbers come from, what it cost, the same again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# Some ten commands, each a process of its own that starts from nothing.
pytestmark = pytest.mark.timeout(300)

Finclaw = Callable[..., subprocess.CompletedProcess[str]]
BROKER = """\
Date;Open;High;Low;Close;Volume
05.01.2026;40,10;40,90;39,80;40,50;12000
06.01.2026;40,60;41,30;40,20;41,00;13500
07.01.2026;41,00;41,20;40,10;40,30;11800
08.01.2026;40,40;41,80;40,30;41,70;15100
09.01.2026;41,80;42,60;41,50;42,30;14900
14.01.2026;42,20;42,90;41,90;42,60;12400
"""
ASKED = {"symbol": "NOVA", "as_of": "2026-01-15"}
SCRIPT: dict[str, Any] = {
    "conversations": [
        {
            "match": "how did",
            "turns": [
                {"tool_calls": [{"name": "get_price_history", "input": ASKED}, {"name": "find_symbol", "input": {"query": "nova"}}]},
                {
                    "text": "NOVA went from {{get_price_history.data.summary.first.close}} to "
                    "{{get_price_history.data.summary.last.close}} EUR "
                    "({{get_price_history.data.summary.change_fraction|percent}}). "
                    "Source: {{get_price_history.sources.0.ref}}."
                },
            ],
        },
        {
            "match": "worst",
            "turns": [
                {"tool_calls": [{"name": "performance", "input": ASKED}]},
                {"text": "Its deepest fall was {{performance.data.max_drawdown.depth|percent}}, its worst day "
                 "{{performance.data.worst.return|percent}}."},
            ],
        },
        {
            "match": "in won",
            "turns": [
                {"tool_calls": [{"name": "convert_currency", "input": {"amount": "42.60", "from_currency": "EUR", "to_currency": "KRW", "date": "2026-01-14"}}]},
                {"text": "At {{convert_currency.data.rate_date}} {{convert_currency.data.from.amount}} EUR were {{convert_currency.data.amount.amount}} KRW."},
            ],
        },
    ]
}  # fmt: skip


@pytest.fixture
def finclaw(tmp_path: Path) -> Finclaw:
    """The command, in a folder and a home that nobody has used before."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("FINCLAW_", "ANTHROPIC", "OPENAI"))
    }
    environment = {**kept, "FINCLAW_HOME": str(tmp_path / "home"), "PYTHONUTF8": "1"}

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "finclaw_cli", *arguments]
        return subprocess.run(
            command, input=stdin, env=environment, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
        )

    return run


def test_a_newcomer_gets_from_a_file_to_answers_that_can_be_checked(finclaw: Finclaw, tmp_path: Path) -> None:
    (tmp_path / "broker.csv").write_text(BROKER)
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    imported = finclaw("data", "import", "broker.csv", "--symbol", "NOVA", "--currency", "EUR", "--adjustment", "none")
    assert (imported.returncode, imported.stdout) == (
        0,
        "NOVA: 6 rows, 2026-01-05 to 2026-01-14: 6 new, 0 changed, 0 unchanged\n",
    )

    questions = ("How did NOVA do?", "Its worst day?", "And in won?")
    asked = finclaw(
        "run", "-o", "ndjson", "--session", "first", "--verify-numbers", "fail", "--input-format", "ndjson",
        "-m", f"scripted:{tmp_path / 'script.json'}",
        stdin="".join(json.dumps({"type": "user", "text": question}) + "\n" for question in questions),
    )  # fmt: skip
    assert asked.returncode == 0, asked.stderr
    told = [json.loads(line) for line in asked.stdout.splitlines()]
    results = [line for line in told if line["type"] == "agent.result"]
    assert results[0]["text"] == "NOVA went from 40.5 to 42.6 EUR (5.19 %). Source: broker.csv."
    assert "-1.71 %" in results[1]["text"]
    assert [(result["numbers"]["ungrounded"], result["numbers"]["found"] > 0) for result in results] == [(0, True)] * 3
    history = next(line for line in told if line.get("name") == "get_price_history" and line.get("result"))
    source = json.loads(history["result"])["sources"][0]
    assert (source["ref"], source["rows"], len(source["sha256"])) == ("broker.csv", "2..7", 64)

    cost = json.loads(finclaw("cost", "--session", "first", "--format", "json").stdout)
    # Six for turns, and one for the source of a figure that an answer has twice.
    assert (cost["total"]["requests"], cost["total"]["cost_usd"]) == (7, "0")

    assert finclaw("replay", "first", "-o", "ndjson").stdout == asked.stdout
    assert finclaw("replay", "first", "--verify").returncode == 0


def test_what_the_data_cannot_answer_ends_with_what_to_import(finclaw: Finclaw) -> None:
    asked = finclaw("tools", "call", "get_quote", "symbol=UNKNOWN")
    assert asked.returncode != 0
    assert "UNKNOWN_SYMBOL" in asked.stderr
    assert "finclaw data import FILE --symbol UNKNOWN --currency USD --adjustment none" in asked.stderr
