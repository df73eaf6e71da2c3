"""A conversation that was made smaller is one that each of the three dialects takes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.engine.context.steps import Strategy
from finclaw_cli.providers.anthropic.encode import encode
from finclaw_cli.providers.openai.chat_encode import encode_chat
from finclaw_cli.providers.openai.profiles import ResponsesProfile, chat_profile
from finclaw_cli.providers.openai.responses_encode import encode_responses
from tests.examples import MANY
from tests.unit.test_compaction import STRATEGIES, short
from tests.unit.test_compaction_properties import Asked, requests
from tests.wire.anthropic_rules import lint_request
from tests.wire.openai_rules import lint_chat, lint_responses


@settings(max_examples=MANY)
@given(requests(), st.sampled_from(STRATEGIES))
def test_what_is_left_is_valid_by_the_rules_of_each_provider(asked: Asked, strategy: Strategy) -> None:
    left = asked.compacted(strategy, short).messages
    waiting = left[-1].role == "assistant"
    request = ModelRequest(model="m", messages=left[:-1] if waiting else left)
    assert lint_request(encode(request)) == []
    assert lint_chat(encode_chat(request, chat_profile("https://api.openai.com/v1"))) == []
    assert lint_responses(encode_responses(request, ResponsesProfile())) == []
