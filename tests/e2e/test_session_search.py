"""`finclaw sessions search`, and the filters of `finclaw sessions list`."""

from __future__ import annotations

import json

import pytest

from tests.e2e.harness import Finclaw, Ran, call

pytestmark = pytest.mark.by_agent


@pytest.fixture
def talked(own: Finclaw) -> Finclaw:
    """The command with two sessions: one with a call, one that failed."""
    model = own.script({"tool_calls": [call("price", symbol="ACME")]}, {"text": "It closed at 42.10."})
    own("run", "-o", "ndjson", "-m", model, "--session", "prices", "환율과 ACME?")
    own("run", "-o", "ndjson", "-m", own.script(name="empty.json"), "--session", "broken", "What of Globex?")
    return own


def found(ran: Ran) -> list[str]:
    assert (ran.code, ran.stderr) == (0, "")
    return [hit["session"] for hit in json.loads(ran.stdout)]


def test_a_hit_has_its_session_its_time_and_a_line_of_context(talked: Finclaw) -> None:
    ran = talked("sessions", "search", "closed", "at")
    assert ran.code == 0
    assert ran.text.splitlines()[0].split() == ["SESSION", "AT", "ROLE", "TEXT"]
    assert "prices" in ran.text
    assert "assistant, turn 2  It closed at 42.10." in ran.text


def test_a_result_and_a_part_of_a_korean_word_are_found(talked: Finclaw) -> None:
    assert found(talked("sessions", "search", "--json", "USD")) == ["prices"]
    assert found(talked("sessions", "search", "--json", "율과")) == ["prices"]


def test_a_word_after_a_minus_must_not_be_there(talked: Finclaw) -> None:
    assert found(talked("sessions", "search", "--json", "acme", "-환율과", "-price")) == ["prices"]
    assert found(talked("sessions", "search", "--json", "globex", "-what")) == []


def test_nothing_found_is_no_error(talked: Finclaw) -> None:
    ran = talked("sessions", "search", "nowhere")
    assert (ran.code, ran.text.splitlines()[0][:32]) == (0, "No message has these words. A wo")


def test_what_conditions_leave_out_is_not_said_to_lack_the_words(talked: Finclaw) -> None:
    ran = talked("sessions", "search", "acme", "--tool", "nothing")
    assert "has these words in the sessions that meet the conditions" in ran.text


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--sinse", "x", "acme"], "--sinse"),
        (["--since", "whenever", "acme"], "whenever"),
        (["--limit", "0", "acme"], "--limit"),
        (["--cost-over", "-1", "acme"], "--cost-over"),
        (["..."], "no word"),
    ],
)
def test_a_search_that_cannot_be_made_is_refused(talked: Finclaw, arguments: list[str], named: str) -> None:
    ran = talked("sessions", "search", *arguments)
    assert (ran.code, ran.stdout) == (2, b"")
    assert named in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_removed_session_is_found_no_more(talked: Finclaw) -> None:
    assert found(talked("sessions", "search", "--json", "globex")) == ["broken"]
    assert talked("sessions", "rm", "--yes", "broken").code == 0
    assert found(talked("sessions", "search", "--json", "globex")) == []


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        (["--failed"], ["broken"]),
        (["--tool", "price"], ["prices"]),
        (["--symbol", "acme"], ["prices"]),
        (["--model", "scripted", "--since", "today"], ["broken", "prices"]),
        (["--cost-over", "0"], []),
    ],
)
def test_the_list_is_filtered(talked: Finclaw, filters: list[str], names: list[str]) -> None:
    ran = talked("sessions", "list", "--json", *filters)
    assert (ran.code, sorted(one["name"] for one in json.loads(ran.stdout))) == (0, names)


def test_a_list_without_a_match_names_the_reason(talked: Finclaw) -> None:
    assert talked("sessions", "list", "--tool", "nothing").text == "No session meets these conditions.\n"


def test_a_list_without_filters_makes_no_index(talked: Finclaw) -> None:
    assert talked("sessions", "list").code == 0
    assert not (talked.home / "search.sqlite").exists()


def test_a_link_in_the_place_of_the_index_is_named(talked: Finclaw) -> None:
    (talked.home / "search.sqlite").symlink_to("/nowhere/search.sqlite")
    ran = talked("sessions", "search", "closed")
    assert (ran.code, "search.sqlite is a link" in ran.stderr) == (1, True)
