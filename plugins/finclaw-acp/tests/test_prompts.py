"""Prompts of an editor: what it is shown, and how they end."""

from __future__ import annotations

import asyncio

import pytest
from acp import RequestError, helpers
from conftest import PAY, Editor, call, chose, served


async def test_an_answer_is_shown_as_it_streams(editor: Editor):
    async with served(editor, editor.script({"text": "It is a whole answer.", "delta_chars": 4})):
        assert await editor.prompt(await editor.begin()) == "end_turn"
    assert editor.text == "It is a whole answer."
    assert len([one for one in editor.updates if one.session_update == "agent_message_chunk"]) > 3


async def test_a_call_is_shown_from_its_beginning_to_its_end(editor: Editor):
    async with served(editor, editor.script(call("look", path="a.csv"), {"text": "Seen."})):
        assert await editor.prompt(await editor.begin()) == "end_turn"
    assert editor.states == ["pending", "pending", "in_progress", "completed"]
    begun, requested, *_, ended = [one for one in editor.updates if one.session_update.startswith("tool_call")]
    assert (begun.kind, requested.title) == ("read", "look (path: a.csv)")
    assert requested.locations[0].path == str(editor.folder / "a.csv")
    assert ended.content[0].content.text == "seen"


async def test_the_last_update_of_a_prompt_is_what_it_has_cost(editor: Editor):
    async with served(editor, editor.script({"text": "Fine."})):
        await editor.prompt(await editor.begin())
    usage = editor.updates[-1]
    assert (usage.session_update, usage.cost.currency) == ("usage_update", "USD")


async def test_prompts_of_one_session_are_one_conversation(editor: Editor):
    async with served(editor, editor.script({"text": "Fine."})):
        session = await editor.begin()
        await editor.prompt(session, "one")
        await editor.prompt(session, "two")
        editor.updates.clear()
        await editor.agent.load_session(cwd=str(editor.folder), session_id=session, mcp_servers=[])
    shown = [(one.session_update, one.content.text) for one in editor.updates]
    assert shown == [
        ("user_message_chunk", "one"), ("agent_message_chunk", "Fine."),
        ("user_message_chunk", "two"), ("agent_message_chunk", "Fine."),
    ]  # fmt: skip


async def test_sessions_answer_side_by_side(editor: Editor):
    fast = editor.script({"text": "Fine."}, name="fast.json")
    async with served(editor, editor.script(PAY), fast):
        first, second = await editor.begin(), await editor.begin()
        await editor.agent.set_config_option(config_id="model", session_id=second, value=fast)
        asked = asyncio.create_task(editor.prompt(first))
        await editor.asking.wait()
        assert await editor.prompt(second) == "end_turn"
        await editor.agent.cancel(session_id=first)
        assert await asked == "cancelled"


async def test_a_second_prompt_while_one_is_answered_is_refused(editor: Editor):
    async with served(editor, editor.script(PAY)):
        session = await editor.begin()
        first = asyncio.create_task(editor.prompt(session))
        await editor.asking.wait()
        with pytest.raises(RequestError, match="is being answered"):
            await editor.prompt(session)
        await editor.agent.cancel(session_id=session)
        assert await first == "cancelled"


async def test_a_cancelled_prompt_ends_with_that_reason_and_its_session_goes_on(editor: Editor):
    slow = editor.script({"text": "x" * 4_000, "delta_chars": 4, "delay_s": 0.05})
    async with served(editor, slow, editor.script({"text": "Fine."}, name="fast.json")):
        session = await editor.begin()
        asked = asyncio.create_task(editor.prompt(session))
        await editor.answering.wait()
        await editor.agent.cancel(session_id=session)
        assert await asked == "cancelled"
        await editor.agent.set_config_option(
            config_id="model", session_id=session, value=f"scripted:{editor.folder}/fast.json"
        )
        assert await editor.prompt(session) == "end_turn"


async def test_the_text_of_an_embedded_resource_is_part_of_the_question(editor: Editor):
    resource = helpers.resource_block(helpers.embedded_text_resource("file:///a.csv", "1,2,3"))
    async with served(editor, editor.script({"text": "Fine."})):
        session = await editor.begin()
        await editor.agent.prompt(session_id=session, prompt=[helpers.text_block("Sum up"), resource])
        editor.updates.clear()
        await editor.agent.load_session(cwd=str(editor.folder), session_id=session, mcp_servers=[])
    assert editor.updates[0].content.text == "Sum up\n\nfile:///a.csv\n````\n1,2,3\n````"


@pytest.mark.parametrize(
    "blocks",
    [[], [helpers.text_block("  ")], [helpers.image_block("AA==", "image/png")], [helpers.audio_block("", "x")]],
)
async def test_a_prompt_without_text_or_with_other_content_is_refused(editor: Editor, blocks: list[object]):
    async with served(editor, editor.script({"text": "Fine."})):
        session = await editor.begin()
        with pytest.raises(RequestError, match=r"no text|no content"):
            await editor.agent.prompt(session_id=session, prompt=blocks)


async def test_a_run_that_fails_is_an_error_with_its_exit_code(editor: Editor):
    async with served(editor, "anthropic:claude-sonnet-4-5"):
        session = await editor.begin()
        with pytest.raises(RequestError) as raised:
            await editor.prompt(session)
    assert raised.value.code == -32000
    assert raised.value.data["exit_code"] == 3
    assert "ANTHROPIC_API_KEY" in str(raised.value)


async def test_too_many_turns_are_a_reason_to_stop(editor: Editor, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FINCLAW_MAX_TURNS", "2")
    async with served(editor, editor.script(call("look"), call("look", path="b"), call("look", path="c"))):
        assert await editor.prompt(await editor.begin()) == "max_turn_requests"


async def test_a_refusal_of_the_model_is_a_reason_to_stop(editor: Editor):
    async with served(editor, editor.script({"text": "I will not.", "stop_reason": "refusal"})):
        assert await editor.prompt(await editor.begin()) == "refusal"


async def test_figures_without_a_source_are_a_warning_after_the_answer(editor: Editor, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FINCLAW_VERIFY_NUMBERS", "warn")
    async with served(editor, editor.script({"text": "ACME closed at 126.89 USD."})):
        await editor.prompt(await editor.begin())
    assert editor.text.startswith("ACME closed at 126.89 USD.\n\n> Warning: ")


async def test_results_are_free_of_what_terminals_obey(editor: Editor):
    editor.answer = chose("allow-once")
    async with served(editor, editor.script(call("note", text="\x1b]0;x\x07red"), {"text": "Fine."})):
        await editor.prompt(await editor.begin())
    assert editor.calls[-1].content[0].content.text == "noted: red"


async def test_the_plan_of_the_model_is_shown_as_one_and_again(editor: Editor):
    plan = [{"content": "Look", "status": "completed"}, {"content": "Sum up", "status": "in_progress"}]
    async with served(editor, editor.script(call("show_plan", steps=plan), {"text": "Fine."})):
        session = await editor.begin()
        await editor.prompt(session)
        await editor.agent.load_session(cwd=str(editor.folder), session_id=session, mcp_servers=[])
    shown = [one.entries for one in editor.updates if one.session_update == "plan"]
    assert [[(step.content, step.status) for step in entries] for entries in shown] == [
        [("Look", "completed"), ("Sum up", "in_progress")]
    ] * 2
    assert editor.calls == []


async def test_a_plan_that_is_none_shows_nothing(editor: Editor):
    async with served(editor, editor.script(call("show_plan", steps="all"), {"text": "Fine."})):
        assert await editor.prompt(await editor.begin()) == "end_turn"
    assert [one for one in editor.updates if one.session_update == "plan"] == []
