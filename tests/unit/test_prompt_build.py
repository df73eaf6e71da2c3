"""The whole system prompt: its order, its modes, its budget, and what others add to it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.engine.context.estimate import estimated_tokens
from finclaw_cli.prompt.additions import Additions
from finclaw_cli.prompt.builder import Mode, build_prompt, given_prompt, tokens
from finclaw_cli.prompt.builtin_sections import FIRST, LAST, REQUIRED
from finclaw_cli.prompt.section import Profile
from tests.unit.prompting import CLOSED, FULL, OPEN, extra, ids, made, run_with

SNAPSHOTS = Path(__file__).parent / "snapshots"
WRITE = "WRITE_SNAPSHOTS"


class TestOrder:
    def test_sections_stand_in_one_order(self):
        order = [maker.id for maker in (*FIRST, *LAST)]
        assert ids(made()) == sorted(ids(made()), key=order.index)

    def test_what_changes_stands_last_and_apart(self):
        prompt = made()
        assert ids(prompt)[-2:] == ["current-state", "memory"]
        assert prompt.state.startswith("# Now\n\n- Today is")
        assert "Today is" not in prompt.text
        assert "# Earlier talk" not in prompt.text

    def test_the_stable_part_is_the_same_on_another_day(self):
        other = run_with(profile=FULL.profile, skills="- a: b", schema="Give JSON.", zone="Europe/Paris")
        assert made(other).text == made().text

    def test_additions_stand_after_our_own_and_before_what_changes(self):
        places = ids(made(added=Additions(sections=(extra(),))))
        assert places[places.index("house") - 1 : places.index("house") + 2] == ["skills", "house", "answer-schema"]

    def test_each_section_has_a_heading(self):
        assert made().text.startswith("# Who you are\n\nYou are finclaw")


class TestModes:
    def test_minimal_keeps_to_who_what_and_the_rules(self):
        prompt = build_prompt(run_with(), Additions(sections=(extra(),)), count=estimated_tokens, mode="minimal")
        assert ids(prompt) == ["identity", "tools", "constraints"]

    def test_none_is_empty(self):
        prompt = build_prompt(run_with(), Additions(sections=(extra(),)), count=estimated_tokens, mode="none")
        assert (prompt.text, prompt.state) == ("", "")

    @pytest.mark.parametrize("mode", get_args(Mode))
    def test_a_schema_is_told_in_every_mode(self, mode: Mode):
        assert "Give JSON." in build_prompt(FULL, count=estimated_tokens, mode=mode).text

    def test_a_prompt_of_the_users_own_stands_alone(self):
        prompt = given_prompt(" Be brief.\n", "", "settings")
        assert (prompt.text, prompt.state) == ("Be brief.", "")

    def test_a_prompt_of_the_users_own_is_followed_by_the_schema(self):
        assert given_prompt("Be brief.", "Give JSON.", "settings").text == "Be brief.\n\nGive JSON."


class TestBudget:
    @given(st.integers(1, 2_000))
    def test_required_sections_survive_any_budget(self, budget: int):
        assert set(ids(made(budget=budget))) >= REQUIRED

    @given(st.integers(1, 2_000), st.lists(st.integers(0, 100), max_size=5))
    def test_what_is_kept_fits_or_is_required(self, budget: int, priorities: list[int]):
        added = Additions(sections=tuple(extra(f"extra-{place}", p) for place, p in enumerate(priorities)))
        prompt = made(added=added, budget=budget)
        fits = sum(tokens(section, estimated_tokens) for section in prompt.sections) <= budget
        assert fits or all(section.required for section in prompt.sections)

    @given(st.integers(1, 2_000), st.lists(st.integers(0, 100), max_size=5))
    def test_the_lowest_priority_goes_first(self, budget: int, priorities: list[int]):
        added = Additions(sections=tuple(extra(f"extra-{place}", p) for place, p in enumerate(priorities)))
        prompt = made(added=added, budget=budget)
        kept = [section.priority for section in prompt.sections if not section.required]
        gone = [section.priority for section in prompt.left_out]
        assert gone == sorted(gone)
        assert not gone or not kept or max(gone) <= min(kept)

    @given(st.integers(1, 2_000))
    def test_no_more_goes_than_has_to(self, budget: int):
        prompt = made(budget=budget)
        cost = sum(tokens(section, estimated_tokens) for section in prompt.sections)
        assert not prompt.left_out or cost + tokens(prompt.left_out[-1], estimated_tokens) > budget

    @given(st.integers(1, 2_000))
    def test_what_is_left_out_is_told(self, budget: int):
        prompt = made(budget=budget)
        assert sorted([*ids(prompt), *prompt.dropped]) == sorted(ids(made()))

    @given(st.integers(1, 2_000))
    def test_the_stable_part_never_holds_what_changes(self, budget: int):
        text = made(budget=budget).text
        assert text.startswith("# ")
        assert "Today is" not in text

    def test_without_a_budget_nothing_goes(self):
        assert made().dropped == ()

    def test_the_whole_prompt_of_a_retail_user_is_small(self):
        prompt = made(run_with(profile=FULL.profile, markets=FULL.markets))
        assert estimated_tokens(f"{prompt.text}\n\n{prompt.state}") < 1_400


@pytest.mark.parametrize("level", ["retail", "professional", "institutional"])
def test_the_whole_prompt_is_as_it_was_read_last(level: str):
    """After a change that is meant: `WRITE_SNAPSHOTS=1 pytest tests/unit/test_prompt_build.py`, and read it."""
    profile = Profile(level=level, risk_tolerance="moderate", markets=("XNYS", "XKRX"), currency="KRW")  # type: ignore[arg-type]
    prompt = made(run_with(profile=profile, markets=(OPEN, CLOSED), channel="tty"))
    text = f"{prompt.text}\n\n{prompt.state}\n"
    path = SNAPSHOTS / f"prompt-{level}.md"
    if os.environ.get(WRITE):
        path.write_text(text, encoding="utf-8")
    assert path.read_text("utf-8") == text
