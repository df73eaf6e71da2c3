"""Sessions and usage of an earlier version: read, replayed to the same bytes, verified, continued, counted.

`earlier/` was written by the commit before the packages were renamed (531c93d, 2026-11-22), with the plugin for tests,
and `replayed.json` is what that version's `replay` and `cost` printed of it.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from finclaw_cli.transcript.replay import recorded_part
from tests.e2e.harness import Finclaw

EARLIER = Path(__file__).parent / "earlier"
PRINTED: dict[str, str] = json.loads((EARLIER / "replayed.json").read_text("utf-8"))
SESSIONS = sorted(path.stem for path in EARLIER.glob("*.jsonl"))


@pytest.fixture
def earlier(own: Finclaw) -> Finclaw:
    sessions = own.home / "sessions"
    sessions.mkdir(mode=0o700)
    for name in SESSIONS:
        shutil.copy(EARLIER / f"{name}.jsonl", sessions)
    shutil.copy(EARLIER / "ledger.db", own.home)
    return own


@pytest.mark.parametrize("form", ["text", "ndjson"])
@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_is_replayed_to_the_same_bytes(earlier: Finclaw, name: str, form: str) -> None:
    ran = earlier("replay", name, "-o", form)
    assert (ran.code, ran.text) == (0, PRINTED[f"{name}.{form}"])


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_is_verified(earlier: Finclaw, name: str) -> None:
    ran = earlier("replay", "--verify", name)
    assert ran.code == 0, ran.text + ran.stderr


@pytest.mark.parametrize("name", ["plain", "tools", "asof"])
def test_a_session_is_continued_and_verified_again(earlier: Finclaw, name: str) -> None:
    ran = earlier("run", "-o", "ndjson", "--session", name, "-m", earlier.script({"text": "So."}), "And then?")
    assert ran.result["text"] == "So."
    assert earlier("replay", "--verify", name).code == 0


def test_what_was_spent_is_still_counted(earlier: Finclaw) -> None:
    ran = earlier("cost", "--by", "session", "--json")
    printed = json.loads(PRINTED["cost"])
    assert (ran.code, recorded_part(json.loads(ran.text), printed)) == (0, printed)
