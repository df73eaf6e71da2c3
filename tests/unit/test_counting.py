"""How full the window is: exact where a provider reported it, close where it did not."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import SUMMARY_MARK, Message, ReasoningBlock, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.context.count import Counted, TokenCounter, tokens_of
from finclaw_cli.engine.context.estimate import SAMPLED_CHARS, estimated_tokens, most_tokens
from tests.unit.counted_texts import COUNTED

TOOL = ToolSpec(name="price", description="The price of a symbol.", input_schema={"type": "object"})


def said(text: str, role: str) -> Message:
    return Message("user", text) if role == "user" else Message("assistant", (TextBlock(text),))


@pytest.mark.parametrize("kind", COUNTED)
def test_a_text_is_estimated_within_a_fifth_before_anything_was_reported(kind: str):
    texts, counted = COUNTED[kind]
    assert sum(map(estimated_tokens, texts)) == pytest.approx(sum(counted), rel=0.2)


@given(st.text())
def test_a_text_may_be_billed_by_the_byte(text: str):
    assert most_tokens(text) == len(text.encode())


def test_what_cannot_be_encoded_may_be_billed_too():
    assert most_tokens("\ud800") >= len("\ufffd".encode())


SIGNS = "".join(chance.choice("!@#$%^&*()_+-=[]{}|;:<>?/") for chance in [random.Random(1)] for _ in range(9_999))
ASKED = (Message("user", "word " * 100),)
ANSWER = Message("assistant", (TextBlock("Fine."), ReasoningBlock("Hm.", "c2ln" * 100)))


def counted(sent: int) -> TokenCounter:
    counter = TokenCounter("Be brief.", [TOOL])
    counter.reported(Counted(asked=ASKED, reply=ANSWER, usage=Usage(input=sent, output=10)))
    return counter


def test_a_request_may_be_billed_for_all_its_bytes():
    most = TokenCounter("Be brief.", [TOOL], {"type": "object"}).most_billed((*ASKED, ANSWER), is_same_prompt=False)
    assert most > 9 + len(TOOL.description) + 17 + 500 + 400


def test_each_part_of_a_prompt_adds_its_bytes():
    def most(system: str = "", tools: Sequence[ToolSpec] = (), schema: JsonObject | None = None) -> int:
        return TokenCounter(system, tools, schema).most_billed(ASKED, is_same_prompt=False)

    schema = {"type": "object", "title": "An answer of seven words, no more than that"}
    alone = most("Be brief.") - most(), most(tools=[TOOL]) - most(), most(schema=schema) - most()
    assert most("Be brief.", [TOOL], schema) - most() == sum(alone)
    assert min(alone) >= len("Be brief.")


def test_what_was_counted_is_billed_as_that_and_what_is_new_by_the_byte():
    new = Message("user", "And?" * 100)
    assert 560 <= counted(150).most_billed((*ASKED, ANSWER, new), is_same_prompt=True) <= 1_700


def test_what_another_model_has_counted_is_billed_by_the_byte():
    alone = TokenCounter("Be brief.", [TOOL]).most_billed(ASKED, is_same_prompt=False)
    assert counted(150).most_billed(ASKED, is_same_prompt=False) == alone > 600


def test_a_conversation_that_was_made_smaller_is_billed_no_higher_than_before():
    asked = (*ASKED, Message("user", "other " * 900))
    counter = TokenCounter()
    counter.reported(Counted(asked=asked, reply=ANSWER, usage=Usage(input=1_100, output=10)))
    summary = Message("user", "In short.")
    assert counter.most_billed((*ASKED, summary), is_same_prompt=True) < 1_700
    assert counter.most_billed((*asked, summary), is_same_prompt=True) < 2_300


def test_a_count_that_is_far_too_low_is_not_believed():
    alone = TokenCounter("Be brief.", [TOOL]).most_billed(ASKED, is_same_prompt=False)
    assert counted(3).most_billed(ASKED, is_same_prompt=True) == alone


def test_a_jumble_of_signs_is_many_tokens_and_a_line_of_one_sign_is_few():
    assert estimated_tokens(SIGNS) > 4_000
    assert estimated_tokens("-" * 80) < 8


@pytest.mark.parametrize("kind", COUNTED)
@pytest.mark.parametrize("other", [1.0, 1.35, 0.8])
def test_after_one_report_every_later_request_is_within_fifteen_percent(kind: str, other: float):
    """Also for a tokenizer that counts otherwise by a factor, as those of other makers do."""
    texts, counted = COUNTED[kind]
    messages = [said(text, "user" if place % 2 == 0 else "assistant") for place, text in enumerate(texts)]
    truth = [round(tokens * other) + 4 for tokens in counted]
    counter = TokenCounter()
    counter.reported(
        Counted(asked=tuple(messages[:1]), reply=messages[1], usage=Usage(input=truth[0], output=truth[1]))
    )
    for end in range(2, len(messages) + 1):
        assert counter.occupied(messages[:end]) == pytest.approx(sum(truth[:end]), rel=0.15), end


def test_what_was_reported_is_not_estimated_again():
    asked, reply = (Message("user", "x" * 9_999),), said("Fine.", "assistant")
    counter = TokenCounter("Be brief.", [TOOL])
    counter.reported(Counted(asked=asked, reply=reply, usage=Usage(input=100, cache_read=40, cache_write=3, output=7)))
    assert counter.occupied([*asked, reply]) == 150
    assert counter.occupied([*asked, reply, Message("user", "And?")]) > 150


def test_a_conversation_that_was_changed_is_estimated_with_what_was_learned():
    asked, reply = (Message("user", "word " * 1_000),), said("Fine.", "assistant")
    counter = TokenCounter()
    counter.reported(Counted(asked=asked, reply=reply, usage=Usage(input=2_000, output=2)))
    assert counter.factor == pytest.approx(2_000 / tokens_of(asked[0]))
    assert counter.occupied([Message("user", "word " * 500)]) == pytest.approx(1_000, rel=0.05)


@pytest.mark.parametrize("usage", [Usage(), Usage(input=10_000_000), Usage(output=5)])
def test_a_report_that_cannot_be_of_this_request_spoils_nothing(usage: Usage):
    counter = TokenCounter()
    counter.reported(Counted(asked=(Message("user", "Hi"),), reply=said("Hi", "assistant"), usage=usage))
    assert 0.4 <= counter.factor <= 2.5


def test_the_breakdown_names_where_it_comes_from_and_adds_up():
    messages = [
        Message("user", "How?"),
        Message("user", f"{SUMMARY_MARK}\nLong ago."),
        Message("assistant", (ToolUseBlock("a", "price", {"symbol": "ACME"}),)),
        Message("tool", (ToolResultBlock("a", "42 " * 400),)),
    ]
    counter = TokenCounter("Be brief.", [TOOL])
    parts = counter.breakdown(messages)
    assert min(parts.system, parts.tools, parts.results, parts.conversation, parts.summary) > 0
    assert parts.results > parts.conversation
    assert parts.total == counter.occupied(messages)


def test_a_very_long_text_is_counted_by_samples():
    text = "prices went up 3.5 % in May, " * 40_000
    assert len(text) > 5 * SAMPLED_CHARS
    assert estimated_tokens(text) == pytest.approx(40_000 * estimated_tokens("prices went up 3.5 % in May, "), rel=0.02)


def test_where_too_few_would_be_an_error_what_is_estimated_counts_for_more():
    asked, reply = (Message("user", "word " * 100),), said("Fine.", "assistant")
    counter = TokenCounter("Be brief.", [TOOL])
    assert counter.at_most(asked) > counter.occupied(asked) * 1.3
    counter.reported(Counted(asked=asked, reply=reply, usage=Usage(input=10_000, output=10)))
    assert 10_010 < counter.at_most((*asked, reply)) < 11_000
