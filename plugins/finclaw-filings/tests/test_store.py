from __future__ import annotations

import json
import sqlite3
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from filing_tools import Run, Tools
from made_facts import YEARS, fact

from finclaw_cli.testing.contract import check_plugin
from finclaw_filings import plugin

FACT = fact("Revenues", YEARS[2022], 120, "2023-02-10")


def test_list_and_check_tell_what_is_there(tools: Tools, run: Run) -> None:
    assert run("list") == (0, "", "No filings are stored yet: finclaw filings import CIK##########.json\n")
    assert run("check") == (0, "", "0 companies checked, 0 findings.\n")
    tools.load(FACT, fact("Revenues", YEARS[2022], 121, "2023-02-10"), fact("Assets", "2030-12-31", 1, "2023-02-10"))
    row = json.loads(run("list", "--json")[1])["companies"][0]
    assert (row["cik"], row["name"], row["values"], row["filed_until"]) == ("0001234567", "Acme Corp", 3, "2023-02-10")
    code, out, err = run("check")
    assert (code, err) == (1, "1 company checked, 2 findings.\n")
    assert "gives several values for 2022-01-01..2022-12-31: 120, 121" in out
    assert "was filed before that, on 2023-02-10" in out


@pytest.mark.parametrize("content", [b"not a database at all, but long enough" * 30, "directory", "other"])
def test_a_store_that_is_none_is_one_clear_line(tools: Tools, run: Run, home: Path, content: object) -> None:
    home.mkdir()
    path = home / "filings.db"
    if content == "directory":
        path.mkdir()
    elif content == "other":
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE t (x)")
        db.close()
    else:
        path.write_bytes(content)  # type: ignore[arg-type]
    for command in ("list", "check"):
        code, out, err = run(command)
        assert (code, out, len(err.splitlines()), err.startswith("error: ")) == (2, "", 1, True)
    assert tools.error("company", identifier="A").startswith("NOT_CONFIGURED: ")


def test_a_store_of_a_newer_version_is_left_alone(tools: Tools, run: Run, home: Path) -> None:
    tools.load(FACT)
    db = sqlite3.connect(home / "filings.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert "was written by a newer finclaw-filings" in run("list")[2]


def test_the_plugin_keeps_the_contract() -> None:
    assert [problem for problem in check_plugin(plugin) if problem.severity == "error"] == []


def test_the_distribution_names_its_entry_point() -> None:
    found = [point for point in entry_points(group="finclaw") if point.name == "finclaw-filings"]
    assert not found or found[0].value == "finclaw_filings.plugin"
