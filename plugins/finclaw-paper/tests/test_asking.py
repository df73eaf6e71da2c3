"""`place_order` in real runs: it never starts unasked, and starts once when somebody consents."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ORDER = {"symbol": "ACME", "side": "buy", "qty": "10"}
Run = Callable[..., dict[str, Any]]


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FINCLAW_")}
    return {**kept, "FINCLAW_HOME": str(home), "PYTHONUTF8": "1"}


def script(folder: Path, *inputs: Any) -> str:
    path = folder / "script.json"
    calls = [{"name": "place_order", "raw_input" if isinstance(given, str) else "input": given} for given in inputs]
    path.write_text(json.dumps({"turns": [*({"tool_calls": [call]} for call in calls), {"text": "Done."}]}))
    return f"scripted:{path}"


def orders(home: Path) -> int:
    books = home / "paper.db"
    if not books.exists():
        return 0
    with sqlite3.connect(books) as connection:
        (count,) = connection.execute("SELECT count(*) FROM orders").fetchone()
    return int(count)


@pytest.fixture
def run(home: Path, market: Callable[..., None], tmp_path: Path) -> Run:
    """A run in a session of its own, without a terminal; its last line, checked against the exit code."""
    market("2024-01-02,10\n2024-01-03,12.50")

    def start(*arguments: str, inputs: tuple[Any, ...] = (ORDER,), stdin: str = "") -> dict[str, Any]:
        command = [sys.executable, "-m", "finclaw_cli", "run", "-o", "ndjson", "-m", script(tmp_path, *inputs)]
        done = subprocess.run(
            [*command, *arguments, "Buy ACME."],
            input=stdin,
            env=environment(home),
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=False,
            start_new_session=True,
        )
        last: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        assert last["exit_code"] == done.returncode, done.stderr
        return last

    return start


@pytest.mark.parametrize(
    "arguments",
    [(), ("--approve", "*"), ("--approve", "place_*"), ("--approve", "finance:*"), ("--approval", "stdio")],
    ids=" ".join,
)
def test_without_an_approval_it_does_not_start(run: Run, home: Path, arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result["exit_code"], result["denied"], orders(home)) == (8, ["place_order"], 0)


def test_duplicate_keys_place_nothing_even_when_it_is_approved(run: Run, home: Path) -> None:
    twice = '{"symbol": "ACME", "side": "buy", "qty": "1", "qty": "1000"}'
    assert run("--approve", "place_order", inputs=(twice,))["tool_calls"] == {"failed": 1}
    assert orders(home) == 0


def test_named_in_advance_it_places_one_order(run: Run, home: Path) -> None:
    assert run("--approve", "place_order")["exit_code"] == 0
    assert orders(home) == 1


def test_an_identical_order_a_moment_later_is_refused(run: Run, home: Path) -> None:
    result = run("--approve", "place_order", inputs=(ORDER, ORDER))
    assert (result["tool_calls"], orders(home)) == ({"completed": 1, "failed": 1}, 1)


def test_an_answer_over_stdio_places_one_order(run: Run, home: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "finclaw_cli", "run", "-o", "ndjson", "--approval", "stdio"]
    process = subprocess.Popen(
        [*command, "-m", script(tmp_path, ORDER), "Buy ACME."],
        env=environment(home),
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        lines = (json.loads(line) for line in process.stdout)
        request = next(line for line in lines if line["type"] == "agent.approval_request")
        assert "ORDER TICKET" in request["preview"]
        process.stdin.write(json.dumps({"type": "approval", "id": request["id"], "decision": "allow"}) + "\n")
        process.stdin.flush()
        last = list(lines)[-1]
    assert (last["exit_code"], orders(home)) == (0, 1)
