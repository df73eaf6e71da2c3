"""Approvals by the user of an editor: anything but an offered consent is a refusal."""

from __future__ import annotations

import asyncio

import pytest
from acp import schema
from conftest import PAY, Editor, call, chose, served

SEEN = {"text": "Done."}


async def test_the_title_of_a_question_has_the_whole_input(editor: Editor):
    editor.answer = chose("reject-once")
    name = "Bartholomew " * 20
    async with served(editor, editor.script(call("pay", to=name, amount="5"), SEEN)):
        await editor.prompt(await editor.begin())
    ((asked, _),) = editor.asked
    assert asked.title == f"pay (to: {name}, amount: 5)"


async def test_a_payment_shows_its_ticket_and_is_made_once_allowed(editor: Editor):
    editor.answer = chose("allow-once")
    async with served(editor, editor.script(PAY, SEEN)):
        assert await editor.prompt(await editor.begin()) == "end_turn"
    ((asked, options),) = editor.asked
    assert asked.content[1].content.text == "TICKET\nto      Bob\namount  5"  # type: ignore[union-attr,index]
    assert options == ["allow-once", "reject-once"]
    assert editor.paid == ["Bob 5"]


@pytest.mark.parametrize(
    "outcome",
    [
        *(schema.AllowedOutcome(outcome="selected", option_id=one) for one in (
            "reject-once", "allow-session", "allow-always", "ALLOW-ONCE", "allow-once ", "allow", "yes", "", "0", "null",
        )),
        schema.DeniedOutcome(outcome="cancelled"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("times", [1, 2])
async def test_anything_but_the_offered_consent_pays_nothing(
    editor: Editor, outcome: schema.AllowedOutcome | schema.DeniedOutcome, times: int
):
    editor.answer = lambda *_: schema.RequestPermissionResponse(outcome=outcome)
    async with served(editor, editor.script(PAY, SEEN)):
        session = await editor.begin()
        for _ in range(times):
            await editor.prompt(session)
    assert editor.paid == []
    assert "failed" in editor.states


async def test_an_editor_that_does_not_know_the_question_pays_nothing(editor: Editor):
    def unknown(*_: object) -> schema.RequestPermissionResponse:
        raise RuntimeError("no such method")

    editor.answer = unknown
    async with served(editor, editor.script(PAY, SEEN)):
        await editor.prompt(await editor.begin())
    assert editor.paid == []


async def test_a_consent_holds_for_the_session_only_where_no_money_moves(editor: Editor):
    editor.answer = chose("allow-session")
    script = editor.script(call("note", text="a"), call("note", text="b"), SEEN)
    async with served(editor, script):
        await editor.prompt(await editor.begin())
        assert len(editor.asked) == 1
        await editor.prompt(await editor.begin())
    assert [options for _, options in editor.asked] == [["allow-once", "allow-session", "reject-once"]] * 2


async def test_a_prompt_cancelled_while_its_user_is_asked_pays_nothing(editor: Editor):
    async with served(editor, editor.script(PAY, SEEN)):
        session = await editor.begin()
        asked = asyncio.create_task(editor.prompt(session))
        await editor.asking.wait()
        await editor.agent.cancel(session_id=session)
        assert await asked == "cancelled"
    assert editor.paid == []


async def test_an_editor_that_leaves_while_its_user_is_asked_pays_nothing(editor: Editor):
    async with served(editor, editor.script(PAY, SEEN)):
        asked = asyncio.create_task(editor.prompt(await editor.begin()))
        await editor.asking.wait()
    with pytest.raises(ConnectionError):
        await asked
    assert editor.paid == []


async def test_a_rule_of_the_channel_denies_without_a_question(editor: Editor):
    rule = '[[rule]]\nscope = "channel"\nsubject = "acp"\npattern = "pay"\nverdict = "deny"\n'
    (editor.home / "policy.toml").write_text(rule)
    editor.answer = chose("allow-once")
    async with served(editor, editor.script(PAY, SEEN)):
        await editor.prompt(await editor.begin())
    assert (editor.paid, editor.asked) == ([], [])


async def test_read_only_sessions_offer_no_tool_that_changes_something(editor: Editor):
    editor.answer = chose("allow-once")
    async with served(editor, editor.script(call("look"), PAY, SEEN)):
        session = await editor.begin()
        await editor.agent.set_session_mode(session_id=session, mode_id="read-only")
        await editor.prompt(session)
    assert (editor.paid, editor.asked) == ([], [])
    assert "completed" in editor.states
