"""The metadata of finclaw's distributions: one version, one licence, one list of systems and Pythons."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import finclaw_cli

ROOT = Path(finclaw_cli.__file__).parents[1]
PLUGINS = sorted(folder.name for folder in (ROOT / "plugins").glob("finclaw-*"))
FOLDERS = {"finclaw-cli": ROOT, "finclaw": ROOT / "meta", **{name: ROOT / "plugins" / name for name in PLUGINS}}
SYSTEMS = ("Operating System ::", "Programming Language ::")


def project(name: str) -> dict[str, Any]:
    content = tomllib.loads((FOLDERS[name] / "pyproject.toml").read_text("utf-8"))
    found: dict[str, Any] = content["project"]
    assert found["name"] == name
    return found


@pytest.mark.parametrize("name", [name for name in FOLDERS if name != "finclaw-cli"])
def test_a_distribution_has_the_version_of_finclaw_cli_and_needs_that_one(name: str) -> None:
    # finclaw recognises its own plugins by the digests of the files that are released with it.
    found = project(name)
    assert found["version"] == finclaw_cli.__version__
    own = [line for line in found["dependencies"] if line.startswith("finclaw")]
    assert f"finclaw-cli=={finclaw_cli.__version__}" in own
    assert all(line.endswith(f"=={finclaw_cli.__version__}") for line in own)


def test_the_application_brings_all_plugins_and_their_extras() -> None:
    found = project("finclaw")
    names = {line.partition("==")[0] for line in found["dependencies"]}
    assert names == {"finclaw-cli", *PLUGINS} - {"finclaw-acp", "finclaw-mcp"}  # extras, with what their SDKs need
    extras = {
        extra for name in PLUGINS for extra, needs in project(name).get("optional-dependencies", {}).items() if needs
    }
    assert extras == {"beancount", "calendars", "parquet", "plot"}
    assert set(found["optional-dependencies"]) == extras | {"acp", "cluster", "keyring", "mcp", "re2", "serve"}


def test_the_application_has_the_script_of_finclaw_cli() -> None:
    assert project("finclaw")["scripts"] == project("finclaw-cli")["scripts"]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_distribution_names_the_same_systems_and_pythons(name: str) -> None:
    named, main = project(name), project("finclaw-cli")
    assert [line for line in named["classifiers"] if line.startswith(SYSTEMS)] == [
        line for line in main["classifiers"] if line.startswith(SYSTEMS)
    ]
    assert named["requires-python"] == main["requires-python"]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_distribution_carries_the_licence(name: str) -> None:
    found = project(name)
    assert (found["license"], found["license-files"]) == ("Apache-2.0", ["LICENSE"])
    assert (FOLDERS[name] / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_changelog_has_a_section_for_the_version() -> None:
    assert f"\n## {finclaw_cli.__version__}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")
