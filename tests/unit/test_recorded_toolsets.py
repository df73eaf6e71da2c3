"""The tools of toolsets as a recording has them."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.tools.null_services import unloaded
from finclaw_cli.tools.registry import CALLER, ToolEntry, ToolRegistry
from finclaw_cli.transcript.declarations import declarations, with_recorded_toolsets
from finclaw_cli.transcript.replayed_tools import RecordedToolChanges
from tests.unit.test_comparison import Record
from tests.unit.test_pipeline import bench
from tests.unit.test_replayed_answers import recording


def offered(name: str, toolset: str = "files") -> ToolSpec:
    return replace(bench().tool, name=name, toolset=toolset, source="plugin:acme")


def registry(*specs: ToolSpec) -> ToolRegistry:
    return ToolRegistry([ToolEntry(spec=spec, origin="acme", load=lambda: bench().tool) for spec in specs])


def names(found: ToolRegistry) -> list[str]:
    return sorted(entry.spec.name for entry in found.entries)


def test_a_toolset_has_the_tools_of_the_recording_in_place_of_its_own() -> None:
    found = with_recorded_toolsets(registry(offered("now"), offered("fixed", "")), [offered("then")])
    assert names(found) == ["fixed", "then"]


def test_a_toolset_that_the_recording_has_no_tools_of_has_none() -> None:
    assert names(with_recorded_toolsets(registry(offered("now")), [])) == []


async def test_a_change_that_is_recorded_otherwise_than_finclaw_does_offers_nothing() -> None:
    change = await RecordedToolChanges(recording(("tools", {"turn": 1, "offered": "all"})), registry()).changed()
    assert change is not None
    assert change.offered == ()


async def test_the_tools_of_the_caller_are_those_of_the_recording_after_a_change() -> None:
    added = declarations([replace(offered("added", ""), source=CALLER)])
    change: Record = ("tools", {"turn": 1, "offered": ["added"], "of_toolsets": [], "of_caller": added})
    before = registry().with_functions([unloaded(replace(offered("removed", ""), source=CALLER))])
    found = await RecordedToolChanges(recording(change), before).changed()
    assert found is not None
    assert names(found.registry) == ["added"]


async def test_the_tools_of_a_run_change_in_the_turns_in_which_they_did() -> None:
    of_toolsets = declarations([offered("then")])
    change: Record = ("tools", {"turn": 2, "offered": ["then", "gone"], "of_toolsets": of_toolsets})
    changes = RecordedToolChanges(recording(change), registry(offered("now")))
    first, second = await changes.changed(), await changes.changed()
    await changes.stop()
    assert first is None
    assert second is not None
    assert ([tool.name for tool in second.offered], names(second.registry)) == (["then"], ["then"])
    assert changes.take_problems() == []
