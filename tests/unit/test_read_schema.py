"""The forms in which a JSON Schema is given: a file, JSON text, and names with types."""

from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli.app.read_schema import read_schema
from finclaw_cli.core.errors import FinclawError

SCHEMA = '{"type": "object", "properties": {"close": {"type": "number"}}}'


@pytest.mark.parametrize("name", ["schema.json", "close:number"], ids=["a usual name", "a name with a colon"])
def test_a_file_that_exists_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(SCHEMA)
    assert list(read_schema(name)["properties"]) == ["close"]  # type: ignore[arg-type]


def test_names_with_types_are_a_schema_of_an_object() -> None:
    schema = read_schema("symbol:string,close:number")
    assert schema["properties"] == {"symbol": {"type": "string"}, "close": {"type": "number"}}


def test_a_file_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FinclawError, match=r"missing\.json") as raised:
        read_schema("missing.json")
    assert "No such file" in raised.value.message
