"""Sessions of an earlier version whose conversations were made smaller: replayed to the same bytes, verified, continued.

`earlier/compacted/` was written by the commit before compactions worked within exchanges (7f21137, 2026-11-24), with
the tables of `windowed`; `replayed.json` has the digests of what that version's `replay` printed of it.
"""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.e2e.asking import in_own_home
from tests.e2e.by_agent import by_agent
from tests.e2e.harness import Finclaw
from tests.e2e.windowed import PLUGIN, WIRES, Windowed, playing, set_window, with_tables

EARLIER = Path(__file__).parent / "earlier" / "compacted"
DIGESTS: dict[str, str] = json.loads((EARLIER / "replayed.json").read_text("utf-8"))
SESSIONS = sorted(path.name.partition(".")[0] for path in EARLIER.glob("*.gz"))


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Finclaw:
    return with_tables(tmp_path_factory.mktemp("tables"), tmp_path_factory.mktemp("home"))


@pytest.fixture
def earlier(tables: Finclaw, tmp_path: Path) -> Finclaw:
    own = by_agent(in_own_home(tables, tmp_path))
    sessions = own.home / "sessions"
    sessions.mkdir(mode=0o700, exist_ok=True)
    for name in SESSIONS:
        (sessions / f"{name}.jsonl").write_bytes(gzip.decompress((EARLIER / f"{name}.jsonl.gz").read_bytes()))
    return own


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_with_compactions_is_replayed_to_the_same_bytes(earlier: Finclaw, name: str) -> None:
    digests = {
        form: sha256(earlier("replay", name, "-o", form, env=PLUGIN).stdout).hexdigest() for form in ("text", "ndjson")
    }
    assert digests == {form: DIGESTS[f"{name}.{form}"] for form in ("text", "ndjson")}


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_with_compactions_is_verified(earlier: Finclaw, name: str) -> None:
    ran = earlier("replay", "--verify", name, env=PLUGIN)
    assert ran.code == 0, ran.text + ran.stderr


def test_a_session_with_compactions_goes_on_and_is_verified(earlier: Finclaw) -> None:
    wire = WIRES[1]
    set_window(earlier, wire.model, 9_000)
    model = Windowed(wire, 9_000, tables=4, rows=16)
    with playing(model) as where:
        options = ("--session", "dropped", *where, "--compaction", "truncate-tools", "--keep-recent", "4")
        ran = earlier("run", "-o", "ndjson", *options, "More.", env={wire.key: "sk-test", **PLUGIN})
    assert (ran.code, model.refused) == (0, []), ran.stderr
    assert ran.result["compaction"]["count"] >= 1
    assert [model.problems(body) for body in model.asked] == [[]] * len(model.asked)
    verified = earlier("replay", "--verify", "dropped", env=PLUGIN)
    assert verified.code == 0, verified.text + verified.stderr
