"""A distribution whose metadata or files cannot be read is left out, alone and with a reason; no command waits for it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, install_module
from tests.e2e.trusted import Trusted

GREETS = """
from finclaw_cli.sdk import hookimpl, tool
@tool(group="finance", read_only=True)
async def greet() -> str:
    "Greets."
    return "hello"
@hookimpl
def finclaw_tools():
    return [greet]
"""
ENV = {"FINCLAW_PLUGINS": "acme-greets,acme-other"}
SOON_S = 20
"""Most commands take less than one second; those of a fault never ended."""
NESTED = "[" * 200_000 + "]" * 200_000


@pytest.fixture
def greets(own: Finclaw, trusted: Trusted, tmp_path: Path) -> Finclaw:
    """A plugin that works, and another beside it that tests break."""
    command = trusted.beside(own, tmp_path / "plugins", "acme-greets", GREETS)
    install_module(command.plugins, "acme-other", GREETS.replace("greet", "part"))
    return command


def info(finclaw: Finclaw) -> Path:
    return finclaw.plugins / "acme_other-1.0.dist-info"


def add_row(finclaw: Finclaw, row: str) -> None:
    with (info(finclaw) / "RECORD").open("a") as file:
        file.write(f"{row},,\n")


def link_to_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def socket_at(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket may have some hundred characters only
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


IRREGULAR: dict[str, Callable[[Path], None]] = {
    "a FIFO": os.mkfifo,
    "a link to a device": link_to_device,
    "a socket": socket_at,
    "a folder": Path.mkdir,
    "a terabyte": sparse,
}


def deep(path: Path) -> None:
    path.write_text(NESTED)


def no_text(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 100)


def unreadable(path: Path) -> None:
    path.symlink_to(path.name)  # a link to itself, which not even root can read


BROKEN = {**IRREGULAR, "nested deeply": deep, "no text": no_text, "unreadable": unreadable}


class TestFilesOfTheRecord:
    @pytest.mark.parametrize("make", IRREGULAR.values(), ids=IRREGULAR)
    @pytest.mark.parametrize(("command", "code"), [
        (("plugins", "trust", "acme-other"), 2), (("tools", "call", "part", "--approve", "part", "--timeout", "3"), 1)
    ])  # fmt: skip
    def test_one_that_is_no_regular_file_or_too_large_is_refused(
        self, greets: Finclaw, make: Callable[[Path], None], command: tuple[str, ...], code: int
    ):
        make(greets.plugins / "acme_data.py")
        add_row(greets, "acme_data.py")
        ran = greets(*command, env=ENV, timeout=SOON_S)
        assert ran.code == code
        assert "acme_data.py" in ran.stderr

    @pytest.mark.parametrize("row", ["/dev/zero", "acme/../" + "../" * 20 + "dev/zero", "a\0b.py"])
    def test_one_outside_of_the_installation_is_refused(self, greets: Finclaw, row: str):
        add_row(greets, row)
        ran = greets("plugins", "trust", "acme-other", env=ENV, timeout=SOON_S)
        assert ran.code == 2
        assert "RECORD" in ran.stderr
        assert row.rpartition("/")[2].replace("\0", "\\x00") in ran.stderr

    def test_a_link_that_leads_outside_of_the_installation_is_refused(self, greets: Finclaw, tmp_path: Path):
        (tmp_path / "secret.py").write_text("")
        (greets.plugins / "acme_data.py").symlink_to(tmp_path / "secret.py")
        add_row(greets, "acme_data.py")
        ran = greets("plugins", "trust", "acme-other", env=ENV)
        assert ran.code == 2
        assert "acme_data.py" in ran.stderr

    def test_a_folder_of_a_package_that_is_a_link_is_refused(self, greets: Finclaw):
        package = greets.plugins / "acme_package"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "all").symlink_to("/")
        (package / "again").symlink_to(".")
        (info(greets) / "entry_points.txt").write_text("[finclaw]\nacme-other = acme_package\n")
        add_row(greets, "acme_package/__init__.py")
        ran = greets("plugins", "trust", "acme-other", env=ENV, timeout=SOON_S)
        assert ran.code == 2
        assert "acme_package/a" in ran.stderr

    @pytest.mark.parametrize("row", ["../../../bin/acme", "../../../share/man/man1/acme.1", "../../../../elsewhere"])
    def test_scripts_and_data_of_an_ordinary_wheel_may_lie_elsewhere(self, own: Finclaw, tmp_path: Path, row: str):
        plugins = tmp_path / "venv" / "lib" / "python3" / "site-packages"
        plugins.mkdir(parents=True)
        install_module(plugins, "acme-other", GREETS)
        finclaw = replace(own, plugins=plugins)
        (tmp_path / "venv" / "bin").mkdir()
        os.mkfifo(tmp_path / "venv" / "bin" / "acme")  # which nothing imports, and so nothing reads
        add_row(finclaw, row)  # pip's RECORD of `--target` names files that are not there
        assert finclaw("plugins", "trust", "acme-other", env=ENV, timeout=SOON_S).code == 0
        assert "hello" in finclaw("tools", "call", "greet", env=ENV).text

    def test_a_record_that_csv_cannot_read_is_refused(self, greets: Finclaw):
        add_row(greets, "x" * 200_000)
        ran = greets("plugins", "trust", "acme-other", env=ENV)
        assert ran.code == 2
        assert "RECORD" in ran.stderr


class TestMetadata:
    @pytest.mark.parametrize("make", [os.mkfifo, deep, unreadable])
    @pytest.mark.parametrize("name", ["direct_url.json", "entry_points.txt", "METADATA", "RECORD"])
    def test_other_plugins_are_listed_whatever_is_in_the_place_of(
        self, greets: Finclaw, name: str, make: Callable[[Path], None]
    ):
        (info(greets) / name).unlink(missing_ok=True)
        make(info(greets) / name)
        ran = greets("tools", "list", "--json", env=ENV, timeout=SOON_S)
        assert "greet" in {tool["name"] for tool in json.loads(ran.text)}

    @pytest.mark.parametrize(("name", "make"), [
        *(("direct_url.json", make) for make in BROKEN.values()),
        *((name, make) for make in (*IRREGULAR.values(), unreadable) for name in ("entry_points.txt", "RECORD")),
        *(("METADATA", make) for make in BROKEN.values()),
    ])  # fmt: skip
    def test_the_distribution_is_left_out_with_a_reason(self, greets: Finclaw, name: str, make: Callable[[Path], None]):
        (info(greets) / name).unlink(missing_ok=True)
        make(info(greets) / name)
        ran = greets("plugins", "list", env=ENV, timeout=SOON_S)
        shown = " ".join((ran.text + ran.stderr).split())
        assert shown.count(f"cannot be used: its {name} ") == 1
        assert "acme-greets" in shown

    def test_the_doctor_names_the_reason_as_well(self, greets: Finclaw):
        (info(greets) / "RECORD").unlink()
        os.mkfifo(info(greets) / "RECORD")
        shown = " ".join(greets("doctor", env=ENV, timeout=SOON_S).text.split())
        assert shown.count("cannot be used: its RECORD ") == 1
        assert "acme-greets" in shown

    @pytest.mark.parametrize("command", [("run", "-m", "SCRIPT", "x"), ("doctor",), ("plugins", "list")])
    def test_a_deeply_nested_origin_ends_no_command(self, greets: Finclaw, command: tuple[str, ...]):
        deep(info(greets) / "direct_url.json")
        script = greets.script({"text": "ok"})
        ran = greets(*(script if word == "SCRIPT" else word for word in command), env=ENV)
        assert ran.code == int(command == ("doctor",))
        assert "bug" not in ran.stderr

    def test_trusting_it_names_the_reason(self, greets: Finclaw):
        deep(info(greets) / "direct_url.json")
        ran = greets("plugins", "trust", "acme-other", env=ENV)
        assert ran.code == 2
        assert "direct_url.json" in ran.stderr

    def test_a_long_description_is_no_fault(self, greets: Finclaw):
        with (info(greets) / "METADATA").open("a") as file:
            file.write("\n" + "words " * 1_000_000)
        assert greets("plugins", "trust", "acme-other", env=ENV).code == 0

    def test_links_in_an_editable_install_are_not_followed_to_list_it(self, greets: Finclaw):
        package = greets.plugins / "acme_package"
        package.mkdir()
        (package / "__init__.py").write_text(GREETS.replace("greet", "part"))
        for name in ("one", "two", "three"):
            (package / name).symlink_to(".")
        (info(greets) / "entry_points.txt").write_text("[finclaw]\nacme-other = acme_package\n")
        origin = {"url": greets.plugins.as_uri(), "dir_info": {"editable": True}}
        (info(greets) / "direct_url.json").write_text(json.dumps(origin))
        assert "part" in greets("tools", "list", env=ENV, timeout=SOON_S).text


class TestEntryPoints:
    @pytest.mark.parametrize(("group", "count"), [("finclaw", 21), ("console_scripts", 1_001)])
    def test_too_many_leave_out_the_distribution(self, greets: Finclaw, group: str, count: int):
        with (info(greets) / "entry_points.txt").open("a") as file:
            file.write(f"[{group}]\n" + "".join(f"n{number} = acme_other\n" for number in range(count)))
        ran = greets("plugins", "list", env=ENV, timeout=SOON_S)
        assert "acme-greets" in ran.text
        assert "acme-other" not in ran.text
        assert "entry points" in " ".join(ran.stderr.split())

    def test_one_with_control_characters_leaves_out_the_distribution(self, greets: Finclaw):
        with (info(greets) / "entry_points.txt").open("a") as file:
            file.write("\x1b[2Jtwo = acme_other\n")
        ran = greets("plugins", "list", env=ENV, timeout=SOON_S)
        assert "acme-other" not in ran.text
        assert "entry_points.txt" in ran.stderr


def test_the_distribution_of_a_library_that_cannot_be_read_does_not_stop_the_doctor(own: Finclaw, tmp_path: Path):
    broken = tmp_path / "plugins" / "pydantic-99.dist-info"
    broken.mkdir(parents=True)
    os.mkfifo(broken / "METADATA")
    ran = replace(own, plugins=tmp_path / "plugins")("doctor", env=ENV, timeout=SOON_S)
    assert "pydantic" in ran.text


def test_a_package_with_the_name_of_one_of_finclaws_own_is_read_within_bounds(own: Finclaw, tmp_path: Path):
    package = tmp_path / "plugins" / "finclaw_paper_other"
    package.mkdir(parents=True)
    install_module(package.parent, "finclaw-paper", "", module="finclaw_paper_other", version="0.2.0")
    (package.parent / "finclaw_paper_other.py").rename(package / "__init__.py")
    os.mkfifo(package / "data")
    ran = replace(own, plugins=package.parent)(
        "plugins", "list", env={"FINCLAW_PLUGINS": "finclaw-paper"}, timeout=SOON_S
    )
    assert "untrusted" in ran.text
