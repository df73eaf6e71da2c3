"""What is trusted is what would be imported: its place, its files, their contents."""

from __future__ import annotations

import importlib.util
import json
import os
import py_compile
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, call, install_module

GREETS = {"FINCLAW_PLUGINS": "acme-greets"}
EXTENSION = str(importlib.util.find_spec("_json").origin)  # type: ignore[union-attr]
needs_extension = pytest.mark.skipif(not Path(EXTENSION).is_file(), reason="this Python has _json in no file")


GREETING = """
from finclaw_cli.sdk import hookimpl, tool
@tool(group="finance", read_only=True)
async def greet() -> str:
    "Greets."
    return "WORD"
@hookimpl
def finclaw_tools():
    return [greet]
"""


def standing(finclaw: Finclaw, dist: str = "acme-greets") -> str:
    """How far a plugin is trusted, as `plugins list` shows it."""
    plugins = json.loads(finclaw("plugins", "list", "--json", env={"FINCLAW_PLUGINS": dist}).text)
    (found,) = (plugin for plugin in plugins if plugin["name"] == dist)
    return str(found["trust"])


def make_editable(folder: Path, source: str) -> None:
    """What an editable install leaves: a project's folder with a module that the RECORD does not list."""
    (folder / "acme_greets.py").write_text(source)
    info = folder / "acme_greets-1.0.dist-info"
    (info / "RECORD").write_text(f"{info.name}/METADATA,,\n")
    (info / "direct_url.json").write_text(json.dumps({"url": folder.as_uri(), "dir_info": {"editable": True}}))


def replaced_by_another_plugin(finclaw: Finclaw, module: Path, content: bytes) -> str:
    """The events of a run that calls the tool, after a trusted plugin that is imported first has replaced a module."""
    other = finclaw.plugins / "other"
    other.mkdir()
    install_module(other, "acme-swap", (
        "from pathlib import Path\nfrom finclaw_cli.sdk import hookimpl\n"
        "@hookimpl\ndef finclaw_policy_rules():\n"
        f"    Path({str(module)!r}).write_bytes({content!r})\n    return []\n"
    ))  # fmt: skip
    path = os.pathsep.join([*finclaw.env()["PYTHONPATH"].split(os.pathsep), str(other)])
    env = {"FINCLAW_PLUGINS": "acme-greets,acme-swap", "PYTHONPATH": path}
    assert finclaw("plugins", "trust", "acme-swap", env=env).code == 0
    script = finclaw.script({"tool_calls": [call("greet")]}, {"text": "ok"})
    ran = finclaw("run", "-o", "ndjson", "-t", "greet", "-m", script, "x", env=env)
    assert module.read_bytes() == content
    return ran.text


class TestPins:
    @pytest.fixture
    def greets(self, own: Finclaw, tmp_path_factory: pytest.TempPathFactory) -> Finclaw:
        plugins = tmp_path_factory.mktemp("plugins")
        install_module(plugins, "acme-greets", GREETING.replace("WORD", "kind"))
        installed = replace(own, plugins=plugins)
        assert installed("plugins", "trust", "acme-greets", env=GREETS).code == 0
        return installed

    def greeting(self, finclaw: Finclaw) -> str:
        return finclaw("tools", "call", "greet", env=GREETS).text.strip().strip('"')

    @pytest.mark.parametrize("mode", ["UNCHECKED_HASH", "TIMESTAMP"])
    def test_bytecode_beside_the_source_is_not_run(self, greets: Finclaw, mode: str):
        source = greets.plugins / "acme_greets.py"
        kept, times = source.read_text(), source.stat()
        source.write_text(GREETING.replace("WORD", "evil"))  # of the same size
        os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
        py_compile.compile(str(source), invalidation_mode=py_compile.PycInvalidationMode[mode])
        source.write_text(kept)
        os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert self.greeting(greets) == "kind"

    def test_a_source_that_becomes_bytecode_alone_has_changed(self, greets: Finclaw):
        source = greets.plugins / "acme_greets.py"
        py_compile.compile(str(source), cfile=str(greets.plugins / "acme_greets.pyc"))
        source.unlink()
        assert standing(greets) == "changed"

    def test_a_module_that_it_does_not_install_cannot_be_trusted(self, greets: Finclaw):
        info = greets.plugins / "acme_greets-1.0.dist-info"
        (greets.plugins / "acme_other.py").write_text(GREETING)
        (info / "entry_points.txt").write_text("[finclaw]\nacme-greets = acme_other\n")
        assert standing(greets) == "changed"
        ran = greets("plugins", "trust", "acme-greets", env=GREETS)
        assert ran.code == 2
        assert "not among its files" in ran.stderr

    def test_the_same_files_elsewhere_are_not_what_was_trusted(self, greets: Finclaw, tmp_path: Path):
        shutil.copytree(greets.plugins, tmp_path / "elsewhere")
        assert standing(replace(greets, plugins=tmp_path / "elsewhere")) == "changed"

    @pytest.mark.parametrize("way", ["import acme_words", "import json, acme_words", "from acme_words import x"])
    def test_a_module_beside_it_that_it_imports_is_part_of_what_is_trusted(self, greets: Finclaw, way: str):
        make_editable(greets.plugins, way + GREETING)
        (greets.plugins / "acme_words.py").write_text("x = 1\n")
        greets("plugins", "trust", "acme-greets", env=GREETS)
        (greets.plugins / "test_greets.py").write_text("")
        assert standing(greets) == "trusted"
        (greets.plugins / "acme_words.py").write_text("x = 2\n")
        assert standing(greets) == "changed"

    def test_a_module_beside_it_that_was_not_looked_at_is_not_imported(self, greets: Finclaw):
        make_editable(greets.plugins, "import importlib\nimportlib.import_module('acme_' + 'words')" + GREETING)
        (greets.plugins / "acme_words.py").write_text("x = 1\n")
        greets("plugins", "trust", "acme-greets", env=GREETS)
        ran = greets("tools", "call", "greet", env=GREETS)
        assert ran.code != 0
        assert "acme_words.py is not among the files of the plugin that are trusted" in ran.stderr

    def test_a_module_that_was_changed_after_the_check_is_not_imported(self, greets: Finclaw):
        change = "import os\nif 'ACME_CHANGES' in os.environ:  # a probe gets no such variable\n"
        change += "    open(__file__.replace('greets', 'words'), 'w').write('x = 2')\nimport acme_words"
        make_editable(greets.plugins, change + GREETING)
        (greets.plugins / "acme_words.py").write_text("x = 1\n")
        greets("plugins", "trust", "acme-greets", env=GREETS)
        ran = greets("tools", "call", "greet", env={**GREETS, "ACME_CHANGES": "1"})
        assert ran.code != 0
        assert "was changed since the plugin was looked at" in ran.stderr

    def test_a_module_that_is_replaced_between_the_check_of_its_plugin_and_its_import_is_not_run(self, greets: Finclaw):
        module = greets.plugins / "acme_words.py"
        make_editable(greets.plugins, "import acme_words" + GREETING.replace('"WORD"', "acme_words.x"))
        module.write_text("x = 'kind'\n")
        greets("plugins", "trust", "acme-greets", env=GREETS)
        ran = replaced_by_another_plugin(greets, module, b"x = 'evil'\n")
        assert "evil" not in ran
        assert "was changed since the plugin was looked at" in ran

    def test_sourceless_bytecode_that_is_replaced_between_the_check_and_the_import_is_not_run(
        self, greets: Finclaw, tmp_path: Path
    ):
        compiled = {}
        for word in ("kind", "evil"):
            (tmp_path / "acme_words.py").write_text(f"x = {word!r}\n")
            py_compile.compile(str(tmp_path / "acme_words.py"), cfile=str(tmp_path / word))
            compiled[word] = (tmp_path / word).read_bytes()
        make_editable(greets.plugins, "import acme_words" + GREETING.replace('"WORD"', "acme_words.x"))
        module = greets.plugins / "acme_words.pyc"
        module.write_bytes(compiled["kind"])
        greets("plugins", "trust", "acme-greets", env=GREETS)
        ran = replaced_by_another_plugin(greets, module, compiled["evil"])
        assert "evil" not in ran
        assert "was changed since the plugin was looked at" in ran

    @needs_extension
    def test_an_extension_module_that_is_trusted_runs(self, greets: Finclaw):
        module = self.with_extension(greets)
        assert self.greeting(greets) == f"{module} 1"  # the place is its own, not that of the copy that is loaded

    @needs_extension
    def test_an_extension_module_that_is_replaced_between_the_check_and_the_import_is_not_run(self, greets: Finclaw):
        module = self.with_extension(greets)
        ran = replaced_by_another_plugin(greets, module, module.read_bytes() + b"and another byte")
        assert f"{module} 1" not in ran
        assert "was changed since the plugin was looked at" in ran

    @needs_extension
    def test_an_extension_module_that_was_copied_is_compared_with_the_copy(self, greets: Finclaw):
        module = self.with_extension(greets)
        self.greeting(greets)
        (copy,) = (greets.home / "cache" / "bytecode").rglob(module.name)
        copy.write_bytes(b"")
        assert self.greeting(greets) == f"{module} 1"

    def with_extension(self, greets: Finclaw) -> Path:
        """Have the plugin use an extension module in a package of its own, which is one of Python's."""
        package = greets.plugins / "acme_native"
        package.mkdir()
        (package / "__init__.py").write_text("")
        module = Path(shutil.copy(EXTENSION, package))
        with (greets.plugins / "acme_greets-1.0.dist-info" / "RECORD").open("a") as file:
            file.write(f"acme_native/__init__.py,,\nacme_native/{module.name},,\n")
        source = GREETING.replace('"WORD"', "f'{_json.__file__} {len(_json.encode_basestring_ascii(str())) - 1}'")
        (greets.plugins / "acme_greets.py").write_text("from acme_native import _json" + source)
        assert greets("plugins", "trust", "acme-greets", env=GREETS).code == 0
        return module


def test_modules_in_the_current_folder_are_not_imported(own: Finclaw):
    (own.cwd / "typer.py").write_text("raise SystemExit('of the current folder')\n")
    ran = own("tools", "list")
    assert (ran.code, "of the current folder" in ran.stderr) == (0, False)


@pytest.mark.parametrize("command", [("plugins", "list"), ("doctor",)])
def test_a_distribution_that_hides_a_plugin_by_its_name_is_reported(
    own: Finclaw, tmp_path: Path, command: tuple[str, ...]
):
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "Acme.Tools-9.dist-info").mkdir(parents=True)
    second.mkdir()
    install_module(second, "acme-tools", "")
    env = {"PYTHONPATH": os.pathsep.join(map(str, (first, second))), "FINCLAW_PLUGINS": "acme-tools"}
    ran = own(*command, env=env)
    shown = " ".join((ran.text + ran.stderr).split())
    assert f"acme-tools 1.0 in {second} is hidden by Acme.Tools-9.dist-info in {first}" in shown


def test_a_trusted_plugin_may_have_two_modules_with_entry_points(own: Finclaw, tmp_path: Path):
    source = (
        "from finclaw_cli.sdk import hookimpl, tool\nimport acme_two_cli\n"
        "@tool(group='finance', read_only=True)\nasync def two() -> int:\n    'Two.'\n    return acme_two_cli.TWO\n"
        "@hookimpl\ndef finclaw_tools():\n    return [two]\n"
    )
    (tmp_path / "plugins").mkdir()
    install_module(tmp_path / "plugins", "acme-two", source)
    (tmp_path / "plugins" / "acme_two_cli.py").write_text("TWO = 2\n")
    info = tmp_path / "plugins" / "acme_two-1.0.dist-info"
    with (info / "entry_points.txt").open("a") as file:
        file.write("[console_scripts]\nacme = acme_two_cli:main\n")
    with (info / "RECORD").open("a") as file:
        file.write("acme_two_cli.py,,\n")
    finclaw, env = replace(own, plugins=tmp_path / "plugins"), {"FINCLAW_PLUGINS": "acme-two"}
    assert finclaw("plugins", "trust", "acme-two", env=env).code == 0
    assert finclaw("tools", "call", "two", env=env).text.strip() == "2"
