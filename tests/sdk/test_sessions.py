"""`finclaw_cli.sdk.sessions`: what is kept, page by page, and what is not read is named."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from finclaw_cli import Agent
from finclaw_cli.errors import UsageError
from finclaw_cli.sdk.sessions import kept_sessions, messages_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FINCLAW_HOME", str(tmp_path))
    return tmp_path


async def keep(home: Path, *names: str) -> None:
    """Keep sessions with one question, written one second after the other."""
    script = home / "script.json"
    script.write_text(json.dumps({"turns": [{"text": "Fine."}]}))
    async with Agent(model=f"scripted:{script}", session="kept", save=True, home=home) as agent:
        await agent.run("How?")
    kept = home / "sessions" / "kept.jsonl"
    for second, name in enumerate(names):
        os.utime(shutil.copy(kept, kept.with_stem(name)), (second, second))
    kept.unlink()


async def test_sessions_come_page_by_page_the_last_one_written_first(home: Path):
    await keep(home, "one", "two", "three")
    first = kept_sessions(pytest.fail, most=2)
    assert [(one.id, one.question, one.written.timestamp()) for one in first.sessions] == [
        ("three", "How?", 2),
        ("two", "How?", 1),
    ]
    assert first.following is not None
    last = kept_sessions(pytest.fail, begin=first.following, most=2)
    assert ([one.id for one in last.sessions], last.following) == (["one"], None)


async def test_a_file_that_cannot_be_read_is_named_and_ends_no_list(home: Path):
    await keep(home, "one", "two")
    (home / "sessions" / "two.jsonl").chmod(0)
    if os.access(home / "sessions" / "two.jsonl", os.R_OK):
        pytest.skip("root reads all files")
    lines: list[str] = []
    page = kept_sessions(lines.append, most=1)
    assert (page.sessions, page.following) == ((), 1)
    assert "two.jsonl: cannot be read" in lines[0]


async def test_the_messages_of_a_session_are_in_order(home: Path):
    await keep(home, "one")
    assert [(one.role, one.text) for one in messages_of("one")] == [("user", "How?"), ("assistant", "Fine.")]


@pytest.mark.parametrize("name", ["none", "../one", "one.jsonl", "", "\x00"])
def test_a_session_that_is_not_there_is_an_error(home: Path, name: str):
    (home / "sessions").mkdir()
    (home / "sessions" / "one.jsonl").touch()
    with pytest.raises(UsageError):
        messages_of(name)
