"""Tables of the settings file that commands write and remove."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.sdk.settings import remove_table, write_table

WHERE = ("mcp", "servers", "files")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FINCLAW_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir(mode=0o700)
    return tmp_path / "home" / "config.toml"


def test_a_table_is_written_into_a_file_that_is_not_there_yet(settings: Path):
    write_table(WHERE, {"command": "x", "args": ["a b"], "env": {"A": "1"}})
    entry = {"command": "x", "args": ["a b"], "env": {"A": "1"}}
    assert tomllib.loads(settings.read_text()) == {"mcp": {"servers": {"files": entry}}}


def test_everything_else_stays_to_the_letter(settings: Path):
    before = '# mine\nmodel = "demo"   # why\n\n[mcp.servers.other]\ncommand = "y"  # theirs\n'
    settings.write_text(before)
    write_table(WHERE, {"command": "x"})
    assert remove_table(WHERE)
    assert settings.read_text().rstrip() == before.rstrip()


def test_a_table_of_the_name_is_replaced(settings: Path):
    write_table(WHERE, {"command": "x", "args": ["1"]})
    write_table(WHERE, {"command": "y"})
    assert tomllib.loads(settings.read_text())["mcp"]["servers"] == {"files": {"command": "y"}}


def test_what_is_not_there_is_not_removed(settings: Path):
    settings.write_text('model = "demo"\n')
    assert not remove_table(WHERE)
    assert settings.read_text() == 'model = "demo"\n'


def test_a_file_that_is_not_toml_is_left_as_it_is(settings: Path):
    settings.write_text("model = \n")
    with pytest.raises(UsageError):
        write_table(WHERE, {"command": "x"})
    assert settings.read_text() == "model = \n"


def test_what_would_be_no_settings_file_is_refused(settings: Path):
    settings.write_text('mcp = { servers = "none" }\n')
    with pytest.raises(UsageError):
        write_table(("max_turns",), {"command": "x"})
    assert settings.read_text() == 'mcp = { servers = "none" }\n'


@pytest.mark.parametrize("text", ["mcp = 5\n", "[mcp]\nservers = 5\n"])
def test_what_is_no_table_on_the_way_is_one_error(settings: Path, text: str):
    settings.write_text(text)
    with pytest.raises(UsageError, match="as a value, where a table should be"):
        write_table(WHERE, {"command": "x"})
    assert settings.read_text() == text
