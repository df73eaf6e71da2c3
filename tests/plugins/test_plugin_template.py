"""The project that `plugins new` makes works as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.fresh import make_environment
from tests.e2e.harness import Finclaw


def test_it_installs_and_passes_its_tests_and_the_contract(tmp_path_factory: pytest.TempPathFactory) -> None:
    environment = make_environment(tmp_path_factory.mktemp("new"))
    folder = tmp_path_factory.mktemp("projects")
    for command in (
        "finclaw plugins new finclaw-acme",
        "cd finclaw-acme && pip install -q -e . && pytest -q -p no:cacheprovider",
        "cd finclaw-acme && finclaw tools check finclaw-acme",
        "finclaw plugins trust finclaw-acme",
    ):
        ran = environment.shell(command, folder)
        assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    called = environment.shell("finclaw tools call acme_future_value amount=1200 rate=0.035 years=10", folder)
    assert "1692.72" in called.stdout


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        ("finclaw-acme", "acme_future_value"),
        ("my-plan", "my_plan_future_value"),
        ("finclaw-3d", "finclaw_3d_future_value"),
        ("x" * 60, "x" * 51 + "_future_value"),
    ],
)
def test_the_tool_has_the_name_of_the_project(finclaw: Finclaw, name: str, tool: str) -> None:
    assert finclaw("plugins", "new", name).code == 0
    checked = finclaw("tools", "check", str(finclaw.cwd / name), "--json")
    assert checked.code == 0, checked.text
    for file in finclaw.cwd.glob(f"{name}/*.md"):
        assert f"finclaw tools call {tool} " in file.read_text()
    module = finclaw.cwd / name / f"{name.replace('-', '_')}.py"
    assert f"def {tool}(" in module.read_text()


@pytest.mark.parametrize("name", ["Acme", "a_b", "../x", "", "-x", "import", "a--b", "x" * 61])
def test_what_is_no_name_is_refused_and_nothing_is_made(finclaw: Finclaw, name: str) -> None:
    ran = finclaw("plugins", "new", "--", name)
    assert ran.code == 2
    assert list(finclaw.cwd.iterdir()) == []


def test_a_folder_that_exists_is_left_as_it_is(finclaw: Finclaw) -> None:
    (finclaw.cwd / "finclaw-acme").mkdir()
    ran = finclaw("plugins", "new", "finclaw-acme")
    assert ran.code == 2
    assert "File exists" in ran.stderr
    assert list((finclaw.cwd / "finclaw-acme").iterdir()) == []


def test_a_folder_that_is_missing_is_named(finclaw: Finclaw, tmp_path: Path) -> None:
    ran = finclaw("plugins", "new", "finclaw-acme", "--folder", str(tmp_path / "none"))
    assert ran.code == 2
    assert "No such file" in ran.stderr
