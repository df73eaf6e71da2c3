"""Plugins of strangers, as an installer puts them there: what works is used, what is broken is named, and spoils nothing else."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.fresh import Environment, make_environment
from tests.e2e.harness import Ran, call, install_module
from tests.plugins.third_party import BROKEN, EDITED, LATE, PROBE_LIMIT_S, SOURCES, write_project

NOT_IMPORTED = ("anthropic", "openai", "httpx2", "rich", "third_", "finclaw_market", "finclaw_demo")
ONLY_GOOD = {"FINCLAW_PLUGINS": "third-good"}


@dataclass(frozen=True)
class Installation:
    """All plugins in one environment, and the listing of the time when none had been looked at yet."""

    environment: Environment
    projects: Path
    first_listing: Ran

    def finclaw(self, *arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Ran:
        return finclaw(self.environment, cwd or self.projects, arguments, env or {})


def finclaw(environment: Environment, cwd: Path, arguments: tuple[str, ...], env: Mapping[str, str]) -> Ran:
    variables = {"FINCLAW_PROBE_TIMEOUT": str(PROBE_LIMIT_S), **env}
    done = environment.shell(shlex.join(["finclaw", *arguments]), cwd, variables)
    return Ran(done.returncode, done.stdout.encode(), done.stderr)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("strangers")
    environment = make_environment(folder)
    for dist, source in SOURCES.items():
        install_module(environment.site, dist, source)
    install(environment, folder, "-e", str(write_project(folder, "third-edited", EDITED)))
    listing = finclaw(environment, folder, ("tools", "list"), {})
    for dist in ("third-good", "third-prints", "third-one", "third-two", "third-hears"):
        assert finclaw(environment, folder, ("plugins", "trust", dist), {}).code == 0
    return Installation(environment, folder, listing)


def install(environment: Environment, cwd: Path, *what: str) -> None:
    done = environment.shell(shlex.join(["pip", "install", "--quiet", "--no-deps", *what]), cwd)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def new_home(tmp_path: Path) -> dict[str, str]:
    """Variables for a home in which no plugin was seen yet, with one plugin to look at."""
    return {**ONLY_GOOD, "FINCLAW_HOME": str(tmp_path / "new-home")}


def script(folder: Path, *turns: Mapping[str, object]) -> str:
    path = folder / "script.json"
    path.write_text(json.dumps({"turns": turns}))
    return f"scripted:{path}"


def tools_of(ran: Ran) -> dict[str, str]:
    """The tools of a listing with the distributions they come from."""
    return {line.split()[0]: line.split()[2] for line in ran.text.splitlines()[1:]}


def test_what_works_is_listed(installation: Installation):
    tools = tools_of(installation.first_listing)
    assert installation.first_listing.code == 0
    assert tools["third_quote"] == "third-good"
    assert tools["third_first"] == "third-edited"
    assert "HELLO FROM AN IMPORT" not in installation.first_listing.text


@pytest.mark.parametrize(("dist", "reason"), BROKEN.items())
def test_what_is_broken_is_named_in_one_line(installation: Installation, dist: str, reason: str):
    lines = [line for line in installation.first_listing.stderr.splitlines() if f" {dist}:" in line]
    assert len(lines) == 1
    assert lines[0].startswith(f"finclaw: plugin {dist}: {reason}")
    assert "Traceback" not in installation.first_listing.stderr


def test_doctor_shows_what_is_behind_it(installation: Installation):
    ran = installation.finclaw("doctor")
    assert ran.code == 1
    assert "raise ValueError('not today')" in ran.text
    assert "tool third_twin: offered by third-one, third-two" in ran.text
    for dist in BROKEN:
        assert f"✗ {dist}: " in ran.text


def test_a_tool_of_a_stranger_works_in_a_run(installation: Installation, tmp_path: Path):
    asked = {"text": "Looking.", "tool_calls": [call("third_quote", symbol="ACME")]}
    model = script(tmp_path, asked, {"text": "{{third_quote.symbol}} is told by {{third_quote.from}}."})
    ran = installation.finclaw("run", "-m", model, "-o", "ndjson", "Quote ACME")
    assert ran.code == 0
    assert ran.result["text"] == "ACME is told by third-good."
    start = ran.lines[0]
    assert {"name": "third_quote", "group": "finance", "source": "plugin:third-good", "skill": None} in start["tools"]
    assert {plugin["name"] for plugin in start["plugins_failed"]} == set(BROKEN)


def test_what_a_plugin_prints_never_reaches_stdout(installation: Installation, tmp_path: Path):
    model = script(tmp_path, {"tool_calls": [call("third_noisy", symbol="ACME")]}, {"text": "Done."})
    ran = installation.finclaw("run", "-m", model, "-o", "ndjson", "-t", "third_noisy", "Go")
    assert ran.result["tool_calls"] == {"completed": 1}
    assert b"HELLO FROM AN IMPORT" not in ran.stdout


def test_a_listener_that_raises_harms_nothing(installation: Installation, tmp_path: Path):
    ran = installation.finclaw("run", "-m", script(tmp_path, {"text": "All is well."}), "Go")
    assert (ran.code, ran.text) == (0, "All is well.\n")
    told = [line for line in ran.stderr.splitlines() if "third-hears" in line]
    assert len(told) == 1
    assert "I heard enough" in told[0]


def test_a_name_of_two_plugins_belongs_to_neither(installation: Installation, tmp_path: Path):
    tools = tools_of(installation.first_listing)
    assert tools["third_one__third_twin"] == "third-one"
    assert tools["third_two__third_twin"] == "third-two"
    assert "third_twin" not in tools
    assert "clash: 'third_twin' is offered by third-one, third-two" in installation.first_listing.stderr
    ran = installation.finclaw("run", "-m", script(tmp_path, {"text": "No."}), "-t", "third_twin", "Go")
    assert ran.code == 2
    assert "'third_twin' is offered by several plugins: third-one, third-two" in ran.stderr
    assert "set tool.prefer.third_twin in the settings" in ran.stderr


@pytest.mark.parametrize("name", ["third-one.third_twin", "third_one__third_twin"])
def test_the_prefixed_name_always_works(installation: Installation, tmp_path: Path, name: str):
    asked = {"tool_calls": [call("third_one__third_twin", symbol="ACME")]}
    model = script(tmp_path, asked, {"text": "{{third_one__third_twin.from}}"})
    ran = installation.finclaw("run", "-m", model, "-t", name, "Go")
    assert (ran.code, ran.text) == (0, "third-one\n")


def test_the_settings_decide_between_two(installation: Installation, tmp_path: Path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text('[tool.prefer]\nthird_twin = "third-two"\n')
    env = {"FINCLAW_HOME": str(home), "FINCLAW_PLUGINS": "third-one,third-two"}
    installation.finclaw("plugins", "trust", "third-two", env=env)
    ran = installation.finclaw("tools", "call", "third_twin", "symbol=ACME", env=env)
    assert json.loads(ran.text)["from"] == "third-two"
    listing = installation.finclaw("tools", "list", env=env)
    assert set(tools_of(listing)) >= {"third_twin"}
    assert "clash" not in listing.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("tools", "list"),
        ("--help",),
        ("--version",),
        "completion",
    ],
    ids=" ".join,
)
def test_neither_sdks_nor_plugins_are_imported_for(installation: Installation, arguments: tuple[str, ...] | str):
    command, env = "python -X importtime -m finclaw_cli", {}
    if arguments == "completion":
        env = {"_FINCLAW_COMPLETE": "complete_bash", "COMP_WORDS": "finclaw tools show third_q", "COMP_CWORD": "3"}
        command = "python -X importtime $(command -v finclaw)"
    ran = installation.environment.shell(
        " ".join([command, *(arguments if isinstance(arguments, tuple) else ())]),
        installation.projects,
        {"FINCLAW_PROBE_TIMEOUT": str(PROBE_LIMIT_S), **env},
    )
    imported = re.findall(r"^import time:.*\| +([\w.]+)$", ran.stderr, re.MULTILINE)
    assert "finclaw_cli.cli.version" in imported
    assert [name for name in imported if name.startswith(NOT_IMPORTED)] == []
    if arguments == "completion":
        assert ran.stdout.strip() == "third_quote"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: "[" * 100_000,
        lambda text: text.replace('"key"', '"lock"'),
        lambda text: re.sub(r'"fingerprint": "[^"]+"', '"fingerprint": "stale"', text).replace("third_quote", "gone"),
    ],
    ids=["cut", "list", "deep", "renamed", "stale"],
)
def test_a_damaged_cache_is_made_anew(installation: Installation, tmp_path: Path, damage):
    cache = tmp_path / "new-home" / "cache" / "plugins.json"
    cache.parent.mkdir(parents=True)
    whole = (installation.environment.home / "cache" / "plugins.json").read_text()
    cache.write_text(damage(whole))
    ran = installation.finclaw("tools", "list", env={**ONLY_GOOD, "FINCLAW_HOME": str(tmp_path / "new-home")})
    assert (ran.code, ran.stderr) == (0, "")
    assert tools_of(ran) == {"third_quote": "third-good"}
    kept = json.loads(cache.read_text())["plugins"]
    assert "third_quote" in json.dumps([plugin for plugin in kept if plugin["dist"] == "third-good"])


def test_a_home_that_cannot_be_written_costs_only_time(installation: Installation, tmp_path: Path):
    (tmp_path / "file").write_text("")
    env = {**ONLY_GOOD, "FINCLAW_HOME": str(tmp_path / "file" / "home")}
    ran = installation.finclaw("tools", "list", env=env)
    assert (ran.code, tools_of(ran)) == (0, {"third_quote": "third-good"})
    ran = installation.finclaw("run", "--no-save", "-m", script(tmp_path, {"text": "Fine."}), "Go", env=env)
    assert (ran.code, ran.text) == (0, "Fine.\n")


def test_an_edited_plugin_is_looked_at_again(installation: Installation):
    source = installation.projects / "third-edited" / "third_edited.py"
    source.write_text(EDITED.replace("third_first", "third_second"))
    tools = tools_of(installation.finclaw("tools", "list"))
    assert "third_first" not in tools
    assert tools["third_second"] == "third-edited"


def test_a_plugin_recovers_when_its_library_is_installed(installation: Installation, tmp_path: Path):
    target = str(tmp_path / "target")
    install(installation.environment, tmp_path, "--target", target, str(write_project(tmp_path, "third-late", LATE)))
    env = {"FINCLAW_PLUGINS": "third-late", "FINCLAW_HOME": str(tmp_path / "home"), "PYTHONPATH": target}
    assert "No module named 'third_library'" in installation.finclaw("tools", "list", env=env).stderr
    library = write_project(tmp_path, "third-library", "")
    install(installation.environment, tmp_path, "--target", target, str(library))
    assert tools_of(installation.finclaw("tools", "list", env=env)) == {"third_late": "third-late"}


def test_no_plugins_means_none(installation: Installation, tmp_path: Path):
    model = script(tmp_path, {"text": "Alone."})
    ran = installation.finclaw("run", "--no-plugins", "-m", model, "-o", "ndjson", "Go")
    assert ran.code == 0
    assert (ran.lines[0]["tools"], ran.lines[0]["plugins_failed"]) == ([], [])
    ran = installation.finclaw("run", "--no-plugins", "-m", model, "-t", "third_quote", "Go")
    assert ran.code == 2
    assert "no tool is called 'third_quote'" in ran.stderr


def test_only_the_plugins_named_are_used(installation: Installation):
    ran = installation.finclaw("tools", "list", env={"FINCLAW_PLUGINS": "third-good, third-one"})
    assert tools_of(ran) == {"third_quote": "third-good", "third_twin": "third-one"}
    assert ran.stderr == ""


def test_a_denied_plugin_is_not_used_and_the_variable_does_not_lift_it(installation: Installation, new_home):
    home = Path(new_home["FINCLAW_HOME"])
    home.mkdir()
    (home / "config.toml").write_text('[plugins]\ndeny = ["third-one"]\n')
    ran = installation.finclaw("tools", "list", env={**new_home, "FINCLAW_PLUGINS": "third-good,third-one"})
    assert tools_of(ran) == {"third_quote": "third-good"}


def test_a_check_of_an_installed_plugin(installation: Installation):
    good = installation.finclaw("tools", "check", "Third_Good")
    assert (good.code, good.stderr) == (0, "")
    assert "0 errors" in good.text
    dead = installation.finclaw("tools", "check", "third-dies")
    assert dead.code == 1
    assert "error    plugin: importing it: its process ended with code 7 [process_ended]" in dead.text
    unknown = installation.finclaw("tools", "check", "third-god")
    assert unknown.code == 2
    assert "did you mean third-good" in unknown.stderr
