"""What finclaw's own plugins are: those of the release, or of the checkout that finclaw itself runs from."""

from __future__ import annotations

import importlib.util
import json
import py_compile
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, install_module
from tests.plugins.test_plugin_pins import GREETING, standing

JUDGE_AND_IMPORT = """
import sys
from pathlib import Path
from finclaw_cli.plugin_host.first_party import is_first_party
from finclaw_cli.plugin_host.first_party_imports import prepare_import
from finclaw_cli.plugin_host.installed import installed_plugins
from finclaw_cli.plugin_host.trust import TrustStore

module, mark = Path(sys.argv[1]), Path(sys.argv[2])
plugin = next(plugin for plugin in installed_plugins() if plugin.dist == "finclaw-demo")
assert is_first_party(plugin)
module.write_text(f"import pathlib; pathlib.Path({str(mark)!r}).touch()")
prepare_import(plugin, TrustStore(mark.parent / "trust.json"), mark.parent / "private")
import finclaw_demo.plugin
"""


def test_a_name_of_finclaws_own_is_not_trusted_by_itself(own: Finclaw, tmp_path: Path):
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    install_module(plugins, "finclaw-paper", GREETING, module="finclaw_paper_evil", version="0.2.0")
    named = replace(own, plugins=plugins)
    assert standing(named, "finclaw-paper") == "untrusted"
    env = {"FINCLAW_PLUGINS": "finclaw-paper"}
    assert named("tools", "call", "greet", "--approve", "greet", env=env).code == 2
    listed = json.loads(named("plugins", "list", "--json", env=env).text)[0]
    assert listed["error"].startswith("it is not finclaw-paper as it was released with this finclaw")


def with_demo(own: Finclaw, tmp_path: Path) -> Finclaw:
    """A copy of finclaw-demo, as an installer would put it."""
    package = Path(str(importlib.util.find_spec("finclaw_demo").origin)).parent  # type: ignore[union-attr]
    plugins = tmp_path / "plugins"
    shutil.copytree(package, plugins / "finclaw_demo", ignore=shutil.ignore_patterns("__pycache__"))
    install_module(plugins, "finclaw-demo", "", module="finclaw_demo_meta", version="0.2.0")
    info = plugins / "finclaw_demo-0.2.0.dist-info"
    (info / "entry_points.txt").write_text(
        "[finclaw]\nfinclaw-demo = finclaw_demo.plugin\n[finclaw_market.datasets]\nfinclaw-demo = finclaw_demo.dataset:dataset\n"
    )
    files = (path.relative_to(plugins) for path in (plugins / "finclaw_demo").rglob("*") if path.is_file())
    with (info / "RECORD").open("a") as record:
        record.writelines(f"{path},,\n" for path in files)
    return replace(own, plugins=plugins)


@pytest.mark.skipif(importlib.util.find_spec("finclaw_demo") is None, reason="needs finclaw-demo")
def test_bytecode_that_another_distribution_puts_beside_finclaws_own_is_not_run(own: Finclaw, tmp_path: Path):
    installed = with_demo(own, tmp_path)
    mark, source = tmp_path / "evil-ran", tmp_path / "evil.py"
    source.write_text(f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n")
    target = importlib.util.cache_from_source(str(installed.plugins / "finclaw_demo" / "plugin.py"))
    py_compile.compile(str(source), target, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    ran = installed("run", "-m", "demo", "How did ACME do this year?", env={"FINCLAW_PLUGINS": "finclaw-demo"})
    assert ran.code == 0, ran.stderr
    assert not mark.exists()


@pytest.mark.skipif(importlib.util.find_spec("finclaw_market") is None, reason="needs finclaw-market")
@pytest.mark.skipif(importlib.util.find_spec("finclaw_demo") is None, reason="needs finclaw-demo")
def test_bytecode_beside_the_price_data_of_finclaws_own_is_not_run(own: Finclaw, tmp_path: Path):
    installed = with_demo(own, tmp_path)
    mark, source = tmp_path / "evil-ran", tmp_path / "evil.py"
    source.write_text(f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n")
    target = importlib.util.cache_from_source(str(installed.plugins / "finclaw_demo" / "dataset.py"))
    py_compile.compile(str(source), target, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    prices = ("tools", "call", "get_price_history", "symbol=ACME", "limit=1")
    ran = installed(*prices, env={"FINCLAW_PLUGINS": "finclaw-demo,finclaw-market"})
    assert ran.code == 0, ran.stderr
    assert "ACME" in ran.stdout.decode()
    assert not mark.exists()


@pytest.mark.skipif(importlib.util.find_spec("finclaw_demo") is None, reason="needs finclaw-demo")
def test_a_module_of_finclaws_own_that_is_replaced_after_it_was_judged_is_not_run(own: Finclaw, tmp_path: Path):
    installed, mark = with_demo(own, tmp_path), tmp_path / "evil-ran"
    module = installed.plugins / "finclaw_demo" / "plugin.py"
    program = tmp_path / "program.py"
    program.write_text(JUDGE_AND_IMPORT)
    ran = subprocess.run(
        [sys.executable, str(program), str(module), str(mark)],
        check=False,
        env=installed.env(),
        capture_output=True,
        text=True,
    )
    assert "was changed" in ran.stderr, ran.stderr
    assert not mark.exists()


@pytest.mark.skipif(importlib.util.find_spec("finclaw_market") is None, reason="needs finclaw-market")
def test_a_package_in_the_place_of_one_of_finclaws_own_is_not_imported(own: Finclaw, tmp_path: Path):
    installed, mark = replace(own, plugins=tmp_path / "plugins"), tmp_path / "evil-ran"
    (installed.plugins / "finclaw_market").mkdir(parents=True)
    evil = f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n"
    (installed.plugins / "finclaw_market" / "__init__.py").write_text(evil)
    user = GREETING.replace('return "WORD"', "import finclaw_market")
    install_module(installed.plugins, "acme-greets", user)
    env = {"FINCLAW_PLUGINS": "acme-greets"}
    assert installed("plugins", "trust", "acme-greets", env=env).code == 0
    ran = installed("tools", "call", "greet", env=env)
    assert ran.code != 0
    assert not mark.exists()
    assert "finclaw_market is not that of finclaw-market as it was released" in ran.stderr


@pytest.mark.skipif(importlib.util.find_spec("finclaw_demo") is None, reason="needs finclaw-demo")
def test_finclaws_own_are_trusted_where_they_are_as_they_were_released(own: Finclaw, tmp_path: Path):
    installed = with_demo(own, tmp_path)
    plugins = installed.plugins
    assert standing(installed, "finclaw-demo") == "first-party"
    with (plugins / "finclaw_demo" / "plugin.py").open("a") as file:
        file.write("# changed\n")
    assert standing(installed, "finclaw-demo") == "untrusted"


def test_a_module_beside_the_script_of_finclaw_is_not_imported(own: Finclaw, tmp_path: Path):
    script, mark = tmp_path / "bin" / "finclaw", tmp_path / "imported"
    script.parent.mkdir()
    script.write_text("from finclaw_cli.__main__ import main\nmain()\n")
    (script.parent / "json.py").write_text(f"open({str(mark)!r}, 'w')\n")
    command = [sys.executable, str(script), "tools", "list"]
    ran = subprocess.run(command, env=own.env(), cwd=own.cwd, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert not mark.exists()
