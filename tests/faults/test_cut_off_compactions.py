"""A run that makes its conversation smaller can be cut off anywhere: what goes on is valid, fits, and is verified."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.reader import read_file
from tests.e2e.asking import in_own_home
from tests.e2e.harness import Finclaw, Ran
from tests.e2e.warm import run_warm
from tests.e2e.windowed import PLUGIN, WIRES, Windowed, playing, set_window, with_tables
from tests.faults.points import Boundaries, Fault, faults

WINDOW, TABLES_READ = 16_000, 12
TRIALS = 10_000 if os.environ.get("FINCLAW_FAULTS") == "long" else 3
WIRE = WIRES[1]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Finclaw:
    return with_tables(tmp_path_factory.mktemp("tables"), tmp_path_factory.mktemp("home"))


def ask(own: Finclaw, where: tuple[str, ...], *options: str, fault: Fault | None = None) -> Ran:
    command = ("run", "-o", "ndjson", "--session", "talk", "--max-turns", "99", "--keep-recent", "4", *where, *options)
    env = own.env({WIRE.key: "sk-test", **PLUGIN})
    log = own.home / "boundaries"
    log.write_text("")
    install = Boundaries(log, fault).install
    code, stdout, stderr = run_warm(command, env=env, cwd=own.home, timeout_s=60, stdin=b"", before=install)
    return Ran(code, stdout, stderr.decode())


def fresh(tables: Finclaw, folder: Path) -> Finclaw:
    folder.mkdir()
    own = in_own_home(tables, folder)
    set_window(own, WIRE.model, WINDOW)
    return own


def was_asked(own: Finclaw) -> bool:
    path = own.home / "sessions" / "talk.jsonl"
    return path.exists() and any(isinstance(item, Line) and item.type == "message" for item in read_file(path))


def has_ended(ran: Ran) -> bool:
    return ran.code == 0 or b"nothing_to_resume" in ran.stdout


def test_a_compaction_that_is_cut_off_is_made_again_or_was_made(tables: Finclaw, tmp_path: Path):
    model = Windowed(WIRE, WINDOW, tables=TABLES_READ, rows=30)
    with playing(model) as where:
        whole = fresh(tables, tmp_path / "whole")
        assert ask(whole, where, "Read all.").result["compaction"]["count"] >= 1
        everywhere = faults((whole.home / "boundaries").read_text().split())
        chance = random.Random(6)
        for number, fault in enumerate(chance.sample(everywhere, min(TRIALS, len(everywhere)))):
            own = fresh(tables, tmp_path / str(number))
            model.begin_again()
            ran = ask(own, where, "Read all.", fault=fault)
            while not has_ended(ran):
                ran = ask(own, where, *(("--resume",) if was_asked(own) else ("Read all.",)))
            again = own("replay", "--verify", "talk", env=PLUGIN)
            assert again.code == 0, (fault, again.text)
    bodies = model.asked + model.summed
    assert (model.refused, [model.problems(body) for body in bodies]) == ([], [[]] * len(bodies))
