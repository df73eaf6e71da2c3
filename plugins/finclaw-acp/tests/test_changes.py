"""Changes of files, as an editor shows them."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Editor, call, chose, served

DONE = {"text": "Done."}


async def shown(editor: Editor, turn: dict[str, Any]) -> tuple[Any, ...]:
    """What a question and the last two steps of its call have."""
    editor.answer = chose("allow-once")
    async with served(editor, editor.script(turn, DONE), tools=["system:*"]):
        await editor.prompt(await editor.begin())
    ((asked, _),) = editor.asked
    return asked, editor.calls


async def test_a_question_about_a_file_begins_with_its_change(editor: Editor):
    (editor.folder / "a.txt").write_text("one two")
    asked, _ = await shown(editor, call("alter", path="a.txt", old="two", new="three"))
    change, reason = asked.content
    assert (change.path, change.old_text, change.new_text) == (str(editor.folder / "a.txt"), "two", "three")
    assert (asked.kind, asked.locations[0].path) == ("edit", change.path)
    assert reason.content.text == "usual for the group system"
    assert (editor.folder / "a.txt").read_text() == "one three"


async def test_a_call_that_has_changed_a_file_goes_on_showing_the_change(editor: Editor):
    (editor.folder / "a.txt").write_text("one two")
    _, calls = await shown(editor, call("alter", path="a.txt", old="two", new="three"))
    assert [one.content[0].new_text for one in calls if one.content] == ["three"]
    assert (calls[-1].status, calls[-1].content) == ("completed", None)


@pytest.mark.parametrize("before", ["one", "", None])
async def test_a_whole_file_is_compared_with_the_one_that_is_there(editor: Editor, before: str | None):
    if before is not None:
        (editor.folder / "a.txt").write_text(before)
    asked, _ = await shown(editor, call("save", path="a.txt", content="two"))
    assert (asked.content[0].old_text, asked.content[0].new_text) == (before, "two")


@pytest.mark.parametrize("path", ["../outside.txt", "link.txt", "data.bin", "folder"])
async def test_a_file_that_cannot_be_compared_is_shown_as_the_input_of_the_call(editor: Editor, path: str):
    (editor.folder.parent / "outside.txt").write_text("secret")
    (editor.folder / "link.txt").symlink_to("../outside.txt")
    (editor.folder / "data.bin").write_bytes(b"\xff\xfe\x00")
    (editor.folder / "folder").mkdir()
    asked, _ = await shown(editor, call("save", path=path, content="two"))
    assert [one.type for one in asked.content] == ["content", "content"]
    assert "secret" not in asked.model_dump_json()
