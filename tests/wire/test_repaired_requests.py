"""Whatever a conversation was left with, and whatever its calls are named: repaired, each of the dialects takes it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.providers.anthropic.encode import encode
from finclaw_cli.providers.openai.chat_encode import encode_chat
from finclaw_cli.providers.openai.profiles import ResponsesProfile, chat_profile
from finclaw_cli.providers.openai.responses_encode import encode_responses
from finclaw_cli.transcript.repair import repair
from tests.examples import MANY
from tests.wire.anthropic_rules import lint_request
from tests.wire.openai_rules import lint_chat, lint_responses

ids = st.sampled_from(("a", "b", "call 1", "시세", "x" * 80))
names = st.sampled_from(("price", "get price!", "p" * 200, "시세", "", "a.b/c")) | st.text(max_size=5)
blocks = st.one_of(
    st.builds(TextBlock, st.sampled_from(("", "word"))),
    st.builds(lambda call_id, name: ToolUseBlock(call_id, name, {}), ids, names),
    st.builds(ToolResultBlock, ids, st.sampled_from(("", "7"))),
)
content = st.sampled_from(("", "word")) | st.lists(blocks, max_size=4).map(tuple)
damaged = st.lists(st.builds(Message, st.sampled_from(("user", "assistant", "tool", "system")), content), max_size=8)
intents = st.dictionaries(ids, st.tuples(names, ids), max_size=3)


@settings(max_examples=MANY)
@given(damaged, intents)
def test_a_repaired_conversation_is_valid_by_the_rules_of_each_provider(
    messages: list[Message], kept: dict[str, tuple[str, str]]
) -> None:
    intended = {call_id: ToolUseBlock(call_id, name, {"given": given}) for call_id, (name, given) in kept.items()}
    repaired = repair([Message("user", "What?"), *messages], intended=intended).answered({})
    request = ModelRequest(model="m", messages=(*repaired, Message("user", "And?")))
    assert lint_request(encode(request)) == []
    assert lint_chat(encode_chat(request, chat_profile("https://api.openai.com/v1"))) == []
    assert lint_responses(encode_responses(request, ResponsesProfile())) == []
