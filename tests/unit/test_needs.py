"""Whether a tool can work right now, and what would make it so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from finclaw_cli.core.tool import Need
from finclaw_cli.plugin_host.needs import availability


def test_a_file_that_is_missing_is_named_with_what_makes_it(tmp_path: Path) -> None:
    needs = (Need(file="books.db", how="finclaw ledger import FILE"),)
    assert availability(needs, tmp_path) == ("needs-data", "finclaw ledger import FILE")
    (tmp_path / "books.db").touch()
    assert availability(needs, tmp_path) == ("ready", "")


def test_what_an_installed_package_brings_need_not_be_in_the_file(tmp_path: Path) -> None:
    brought = Need(file="a", or_entry_points="pytest11", how="x")
    assert availability((brought,), tmp_path) == ("ready", "")
    assert availability((Need(file="a", or_entry_points="nobody.offers.this", how="x"),), tmp_path)[0] == "needs-data"


def test_a_key_and_a_program_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs = (Need(env="ACME_KEY", how="export ACME_KEY=…"), Need(program="no-such-program", how="apt install it"))
    monkeypatch.delenv("ACME_KEY", raising=False)
    assert availability(needs, tmp_path) == ("needs-key", "export ACME_KEY=…")
    monkeypatch.setenv("ACME_KEY", "x")
    assert availability(needs, tmp_path) == ("needs-program", "apt install it")


def test_a_program_beside_the_python_of_finclaw_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need = Need(program="no-such-program", how="apt install it")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))  # as an environment that is not activated
    assert availability((need,), tmp_path)[0] == "needs-program"
    (tmp_path / "no-such-program").touch(mode=0o755)
    assert availability((need,), tmp_path) == ("ready", "")
