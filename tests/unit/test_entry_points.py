"""Entry points as the standard library finds them, without its import."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from finclaw_cli.plugin_host.entry_points import entry_points, loaded


def install(folder: Path, dist: str, points: str, *, about: str | None = None) -> Path:
    info = folder / f"{dist}.dist-info"
    info.mkdir(parents=True)
    name, _, version = dist.partition("-")
    (info / "METADATA").write_text(about or f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nWords\n")
    (info / "entry_points.txt").write_text(points)
    return info


@pytest.mark.parametrize("group", ["finclaw", "console_scripts", "pytest11", "nobody.at.all"])
def test_this_environment_has_those_that_the_standard_library_finds(group: str) -> None:
    ours = {(point.distribution.about[0], point.name, point.value) for point in entry_points(group)}
    assert ours == {
        (point.dist.name if point.dist else "", point.name, point.value) for point in metadata.entry_points(group=group)
    }


def test_of_a_distribution_found_twice_the_first_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "a", "Some_Dist-1.0", "[x]\none = first:thing\n")
    install(tmp_path / "b", "some.dist-2.0", "[x]\none = second:thing\n")
    monkeypatch.syspath_prepend(str(tmp_path / "b"))
    monkeypatch.syspath_prepend(str(tmp_path / "a"))
    assert [point.value for point in entry_points("x")] == ["first:thing"]


def test_name_and_version_are_those_of_the_metadata_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "some_dist-1.0", "[x]\none = a\n", about="Name: Some.Dist\nVersion: 1.0+local\n\nName: no\n")
    bare = install(tmp_path, "other-3", "[x]\n# words\n\ntwo = b [extra]\n[y]\nthree = c\n")
    (bare / "METADATA").unlink()
    monkeypatch.syspath_prepend(str(tmp_path))
    found = {point.name: point.distribution.about for point in entry_points("x")}
    assert found == {"one": ("Some.Dist", "1.0+local"), "two": ("other", "3")}


def test_what_cannot_be_read_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken-1.dist-info").write_text("a file")
    (tmp_path / "odd-1.dist-info").mkdir()
    (tmp_path / "odd-1.dist-info" / "entry_points.txt").write_bytes(b"\xff\xfe[x]\n\xff")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "nowhere"))
    monkeypatch.syspath_prepend(str(tmp_path / "broken-1.dist-info"))
    assert not list(entry_points("x"))


@pytest.mark.parametrize(("value", "name"), [("os.path:join", "join"), ("os.path : join [fast]", "join"), ("os", "os")])
def test_a_value_is_imported(value: str, name: str) -> None:
    assert loaded(value).__name__ == name


@pytest.mark.parametrize("value", ["no_such_module_at_all:x", "os:no.such.attribute"])
def test_what_is_not_there_is_an_error_of_python(value: str) -> None:
    with pytest.raises((ImportError, AttributeError)):
        loaded(value)
