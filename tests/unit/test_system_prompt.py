"""From what a run's system prompt is made, and that its record is enough to make it again."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest

from finclaw_cli.app.run_record import recorded_basis, run_data
from finclaw_cli.app.system_prompt import PromptBasis, begins_with_summary, present_basis
from finclaw_cli.core.checked import checked
from finclaw_cli.core.json_text import dump_line
from finclaw_cli.core.messages import SUMMARY_MARK, Message
from finclaw_cli.settings.model import Settings
from tests.unit.prompting import CLOSED, NOW, OPEN

QUESTION, ANSWER = Message("user", "How is ACME?"), Message("assistant", "Fine.")
SUMMARY = Message("user", f"{SUMMARY_MARK}\nThey spoke of ACME.")


@pytest.mark.parametrize(
    ("messages", "is_there"),
    [
        ([], False),
        ([QUESTION, ANSWER], False),
        ([SUMMARY, ANSWER], True),
        ([QUESTION, SUMMARY, ANSWER], True),
        ([QUESTION, ANSWER, SUMMARY], False),
        ([QUESTION, Message("assistant", SUMMARY.text)], False),
    ],
)
def test_a_summary_is_seen_at_the_beginning_alone(messages: list[Message], is_there: bool):
    assert begins_with_summary(messages) is is_there


class TestRecord:
    def kept(self, basis: PromptBasis) -> dict[str, object]:
        kept: dict[str, object] = json.loads(dump_line(run_data(Settings(), basis, None, (), retractable=True)))
        return kept

    def test_it_is_enough_to_make_the_prompt_again(self):
        basis = PromptBasis(
            given=None,
            for_this_run=False,
            now=NOW.replace(tzinfo=timezone(timedelta(hours=9))),
            zone="Asia/Seoul",
            markets=(OPEN, CLOSED),
            goes_on_after_summary=True,
        )
        assert recorded_basis(self.kept(basis), Settings()) == basis

    def test_the_prompt_of_the_settings_is_that_of_today(self):
        basis = PromptBasis(given="then", for_this_run=False, now=NOW, zone="")
        found = recorded_basis(self.kept(basis), Settings(system="now"))
        assert found is not None
        assert found.given == "now"

    @pytest.mark.parametrize("now", [None, 7, "soon", "2026-11-20T22:05:07"])
    def test_a_record_that_does_not_say_when_is_none(self, now: object):
        assert recorded_basis({"now": now}, Settings()) is None

    @pytest.mark.parametrize("markets", [None, "open", [{"code": "XNYS"}], [7]])
    def test_markets_that_somebody_else_wrote_are_not_believed(self, markets: object):
        found = recorded_basis({"now": NOW.isoformat(), "markets": markets}, Settings())
        assert found is not None
        assert found.markets == ()


class TestPresent:
    def basis(self, **settings: object) -> PromptBasis:
        profile = {"markets": ["XNYS"]}
        return present_basis(checked(Settings, {"profile": profile, **settings}), (), for_this_run=False)

    @pytest.fixture(autouse=True)
    def home(self, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FINCLAW_HOME", str(tmp_path_factory.mktemp("home")))

    def test_the_preferred_markets_are_looked_at(self):
        assert [state.code for state in self.basis().markets] == ["XNYS"]

    @pytest.mark.parametrize("settings", [{"system": "x"}, {"prompt_mode": "minimal"}, {"as_of": "2026-01-02"}])
    def test_where_nothing_is_said_of_them_they_are_not(self, settings: dict[str, object]):
        assert self.basis(**settings).markets == ()

    def test_now_has_a_time_zone(self):
        assert isinstance(self.basis().now, datetime)
        assert self.basis().now.tzinfo is not None
